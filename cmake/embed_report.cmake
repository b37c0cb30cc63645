# Writes the files that report/parts.txt lists into one C++ source, so that the program carries its report page.
#   cmake -D folder=report -D output=report_parts.cpp -P embed_report.cmake
file(STRINGS ${folder}/parts.txt lines REGEX "^(template|style|script|space-style|space-script) ")
set(code "// Generated from report/parts.txt.\n#include \"report/parts.hpp\"\n\nnamespace carom::detail {\n\n")
string(APPEND code "std::span<const ReportPart> report_parts() {\n  static const ReportPart parts[] = {\n")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([a-z-]+) +(.+)$" matched "${line}")
  set(kind ${CMAKE_MATCH_1})
  string(STRIP "${CMAKE_MATCH_2}" name)
  # As numbers: no text can break them, and file(READ) would eat brackets and semicolons.
  file(READ ${folder}/${name} bytes HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  string(REGEX REPLACE "(................................................................................................................................)" "\\1\"\n    \"" bytes "${bytes}")
  string(LENGTH "${bytes}" length)
  file(SIZE ${folder}/${name} size)
  string(APPEND code "    {\"${kind}\", {\"${bytes}\", ${size}}},  // ${name}\n")
endforeach()
string(APPEND code "  };\n  return parts;\n}\n\n}  // namespace carom::detail\n")
file(WRITE ${output} "${code}")
