// carom completion: the scripts by which bash, zsh and fish complete carom's words. They only carry the words
// typed so far to `carom complete` and its answers back.
#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"

namespace carom::cli {
namespace {

// bash splits words at "=", so the line is taken apart here, and only what follows the last "=" is replied.
constexpr auto bash_script = R"(# carom's words in bash: source <(carom completion bash)
_carom() {
  local program='@' line current word description
  local -a words
  [[ -x $program ]] || program=carom
  line=${COMP_LINE:0:COMP_POINT}
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  current=${words[${#words[@]} - 1]}
  local before=
  [[ $current == *=* ]] && before=${current%=*}=
  COMPREPLY=()
  while IFS=$'\t' read -r word description; do
    case $word in
      :folders) compopt -o plusdirs ;;
      ':files '*)
        compopt -o plusdirs -o filenames
        while IFS= read -r word; do COMPREPLY+=("$word"); done \
          < <(compgen -f -X "!*${word#:files }" -- "${current#"$before"}")
        ;;
      *)
        [[ $word == *= ]] && compopt -o nospace
        COMPREPLY+=("${word#"$before"}")
        ;;
    esac
  done < <("$program" complete "${words[@]:1}" 2>/dev/null)
} 2>/dev/null
complete -F _carom carom
)";

constexpr auto zsh_script = R"(#compdef carom
# carom's words in zsh: source <(carom completion zsh), after compinit
_carom() {
  local program='@' line
  local -a plain tight
  [[ -x $program ]] || program=carom
  for line in "${(@f)$("$program" complete "${(@)words[2,CURRENT - 1]}" "$PREFIX" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :folders) _files -/ ;;
      ':files '*) _files -g "*${line#:files }" ;;
      *=|*=$'\t'*) tight+=("${line/$'\t'/:}") ;;
      *) plain+=("${line/$'\t'/:}") ;;
    esac
  done
  (( ${#plain} )) && _describe carom plain
  (( ${#tight} )) && _describe carom tight -S ''
  return 0
}
if [[ ${funcstack[1]} == _carom ]]; then _carom "$@"; else compdef _carom carom; fi
)";

constexpr auto fish_script = R"(# carom's words in fish: carom completion fish | source
function __carom_complete
    set -l program '@'
    test -x $program; or set program carom
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($program complete $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case :folders
                __fish_complete_directories "$current" ''
            case ':files *'
                __fish_complete_suffix "$current" (string replace ':files ' '' -- $line)
            case '*'
                echo $line
        end
    end
end
complete -c carom -e
complete -c carom -f -a '(__carom_complete)'
)";

// The program that printed the script answers it, and a carom in PATH once that is gone. Not the launcher: it
// might start to build at the press of a key.
std::string own_path() {
  std::error_code error;
  const std::string path = std::filesystem::read_symlink("/proc/self/exe", error).string();
  return error || path.find_first_of("'\\\n") != std::string::npos ? "carom" : path;
}

}  // namespace

int completion(const std::string& shell) {
  std::string script = shell == "bash" ? bash_script : shell == "zsh" ? zsh_script : fish_script;
  constexpr std::string_view mark = "'@'";
  script.replace(script.find(mark) + mark.size() - 2, 1, own_path());
  fmt::print("{}", script);
  return done;
}

}  // namespace carom::cli
