#!/bin/sh
# The launcher, in a tree of its own where dpkg-query, apt-get, sudo, id, cmake and ctest are stand-ins
# that write down how they were called: nothing is installed or compiled, and a second is enough.
#   launcher_test.sh LAUNCHER
set -eu
unset PYTHONPATH  # a package of whoever tests is none of the tree's
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
tree="$box/a tree"
calls=$box/calls
mkdir -p "$tree/src" "$tree/papers" "$box/bin" "$box/elsewhere"
cp "$1" "$tree/carom"
ln -s "$tree/carom" "$box/a link"
cat >"$tree/packages.txt" <<'END'
# A comment, which may have [brackets]
[core]
g++        # the compiler
libfmt-dev
[papers]
librsvg2-bin
[optimise]
coinor-libipopt-dev
[python]
pybind11-dev
[test]
libgtest-dev
[bench]
libbenchmark-dev
[peers]
siconos
libode-dev
END

# stand_in NAME: a command that notes its call, then runs the script on standard input.
stand_in() {
  { printf '#!/bin/sh\necho "%s $*" >>"%s"\n' "$1" "$calls"; cat; } >"$box/bin/$1"
  chmod +x "$box/bin/$1"
}
# installed NAME...: what dpkg-query finds, in the format that the launcher asks for.
installed() { echo "printf 'installed:%s ' $*" | stand_in dpkg-query; }
no_rights() { echo 'exit 1' | stand_in sudo; }

# carom ARGUMENT...: the launcher, started from a folder that has nothing to do with it.
search_path="$box/bin:$PATH"
launcher=$tree/carom
carom() {
  : >"$calls"
  status=0
  (cd "$box/elsewhere" && PATH=$search_path "$launcher" "$@") >"$box/out" 2>"$box/err" || status=$?
}

failures=0
expect() { # expect WHAT CONDITION...
  what=$1
  shift
  if "$@"; then return; fi
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$what"
  printf '  exit code %s\n' "$status"
  sed 's/^/  stdout: /' "$box/out"
  sed 's/^/  stderr: /' "$box/err"
  sed 's/^/  call: /' "$calls"
}
exits() { [ "$status" -eq "$1" ]; }
prints() { [ "$(cat "$box/out")" = "$1" ]; }
says() { grep -qF -- "$1" "$box/err"; }
calls() { grep -q -- "$1" "$calls"; }
not() { ! "$@"; }

# Throughout, the user is not root, and a build leaves a program that prints its arguments.
echo 'echo 1000' | stand_in id
stand_in cmake <<'END'
echo noise; echo noise >&2
mkdir ../building || touch ../two_at_once
mkdir -p build/release/cli
printf '#!/bin/sh\nprintf "<%%s>" "$@"\n' >build/release/cli/carom
chmod +x build/release/cli/carom
sleep 0.05
rmdir ../building
END

# Packages missing and no rights: the exact command, exit code 5, and nothing is tried.
no_rights
installed libgtest-dev
carom demo
expect 'exit 5 without rights' exits 5
expect 'the command to type' says '  sudo apt-get install -y g++ libfmt-dev'
expect 'no output' prints ''
expect 'nothing is built' not calls '^cmake'
installed g++ libfmt-dev
carom test
expect 'the tests have packages of their own' says '  sudo apt-get install -y librsvg2-bin coinor-libipopt-dev pybind11-dev libgtest-dev'

# With sudo the missing ones are installed, after an update, without questions.
installed g++
stand_in sudo <<'END'
[ "$1" = -n ] && shift && exec "$@"
END
echo 'echo noise' | stand_in apt-get
carom
expect 'update first' calls '^apt-get .* update$'
expect 'install' calls '^apt-get .* install -y --no-install-recommends libfmt-dev$'
expect 'no questions' calls '^sudo -n env DEBIAN_FRONTEND=noninteractive apt-get'
expect 'output is the program'\''s' prints '<>'
echo 'echo no network; exit 100' | stand_in apt-get
rm -r "$tree/build"
carom
expect 'exit 5 when the installation fails' exits 5
expect 'the reason' says 'no network'

# Nothing missing: build, then run, with the arguments as they are.
no_rights
installed g++ libfmt-dev
carom run 'a b' '' '*'
expect 'exit 0' exits 0
expect 'arguments unchanged' prints '<run><a b><><*>'
expect 'configured' calls '^cmake .*--preset release'
expect 'the program alone is built' calls '^cmake --build .* --target carom$'
expect 'quiet' [ ! -s "$box/err" ]

# Nothing changed: not even cmake is asked. Something changed, or is gone: it is.
launcher="$box/a link"
carom --version
expect 'through a link' prints '<--version>'
expect 'nothing runs but the program' [ ! -s "$calls" ]
launcher=$tree/carom
for change in touch rm; do
  for folder in src papers; do
    sleep 0.02
    "$change" "$tree/$folder/file.cpp"
    carom
    expect "built anew after $change in $folder" calls '^cmake --build'
  done
done

# The papers need what turns their pictures into PNG, other commands do not.
carom reproduce --all
expect 'packages for the papers' exits 5
expect 'the command for them' says '  sudo apt-get install -y librsvg2-bin'
expect 'nothing is run' prints ''
installed g++ libfmt-dev librsvg2-bin
carom reproduce --all
expect 'with them it runs' prints '<reproduce><--all>'
expect 'the papers are built' calls '^cmake --build .* --target carom carom_papers$'
carom reproduce --all
expect 'they are built once' not calls '^cmake'
carom run
expect 'the program is built with them' not calls '^cmake'
# Optimal control has a module of its own, too.
carom optimise swing-up
expect 'exit 5 without Ipopt' exits 5
expect 'the command for it' says '  sudo apt-get install -y coinor-libipopt-dev'
installed g++ libfmt-dev librsvg2-bin coinor-libipopt-dev
carom optimise swing-up
expect 'with it it runs' prints '<optimise><swing-up>'
expect 'Ipopt'\''s module is built' calls '^cmake --build .* --target carom carom_ipopt$'
# A Python with the package: packages and a module of its own, configured for, and built once.
carom python -c 'print(1)'
expect 'exit 5 without the packages for Python' exits 5
expect 'the command for them' says '  sudo apt-get install -y pybind11-dev'
installed g++ libfmt-dev coinor-libipopt-dev pybind11-dev
carom python -c 'import sys; print(*sys.argv[1:], sys.path[1])' 'a b'
expect 'the script has its arguments, and the package' prints "a b $tree/build/release/python"
expect 'configured with the package' calls '^cmake .*--preset release -DCAROM_BUILD_PYTHON=ON$'
expect 'the module is built' calls '^cmake --build .* --target carom carom_python$'
carom python -c 'print(2)'
expect 'once' not calls '^cmake'
expect 'and runs' prints 2
carom render
expect 'films are its, too' says "No module named carom"
installed g++ libfmt-dev
sleep 0.02
touch "$tree/papers"
carom run
expect 'others do not build them' calls '^cmake --build .* --target carom$'
carom reproduce --help
expect 'nor does help' not calls '^cmake'
carom list --json papers
expect 'their list needs them' calls '^cmake --build .* --target carom carom_papers$'
expect 'and no pictures' prints '<list><--json><papers>'
mv "$tree" "$box/moved tree"
launcher="$box/moved tree/carom"
carom
expect 'built anew where it was moved' calls '^cmake --fresh'
mv "$box/moved tree" "$tree"
launcher=$tree/carom

# Two at once take turns.
rm -r "$tree/build"
PATH=$search_path "$launcher" >/dev/null &
carom two
wait "$!"
expect 'both run' prints '<two>'
expect 'one build at a time' [ ! -e "$box/two_at_once" ]

# The exit code of the tests is ctest's, and its arguments come from the command line.
installed g++ libfmt-dev librsvg2-bin coinor-libipopt-dev pybind11-dev libgtest-dev
echo 'exit 8' | stand_in ctest
carom test --sanitize -R 'a b'
expect 'exit code of ctest' exits 8
expect 'arguments of ctest' calls '^ctest --preset asan-ubsan .*-R a b$'

# Benchmarks: packages to compare with are tried one by one, and missed by name only. Google Benchmark is for the parts.
stand_in cmake <<'END'
mkdir -p build/release/cli build/bench/bench
for program in release/cli/carom bench/bench/carom_compare bench/bench/carom_bench; do
  printf '#!/bin/sh\nprintf "<%%s>" "${0##*/}" "$@"\n' >"build/$program"
  chmod +x "build/$program"
done
END
installed g++ libfmt-dev
no_rights
carom bench --json
expect 'the comparison runs' prints "<carom_compare><--program><$tree/build/release/cli/carom><--json>"
expect 'without rights it goes on' says 'going on without siconos libode-dev'
stand_in sudo <<'END'
[ "$1" = -n ] && shift && exec "$@"
END
stand_in apt-get <<'END'
case $* in *siconos*) exit 100 ;; esac
END
carom bench
expect 'what can be had is installed' calls '^apt-get .* install -y --no-install-recommends libode-dev$'
expect 'what cannot is named' says 'going on without siconos, which could not be installed'
expect 'it runs all the same' prints "<carom_compare><--program><$tree/build/release/cli/carom>"
no_rights
carom bench --parts
expect 'the parts need Google Benchmark' exits 5
installed g++ libfmt-dev libbenchmark-dev
carom bench --parts --benchmark_filter='a b'
expect 'the parts' prints '<carom_bench><--benchmark_filter=a b>'

# A failing build: the end of its log, exit code 1, nothing on standard output; and so the next time.
echo 'echo broken here; exit 1' | stand_in cmake
sleep 0.02
touch "$tree/src"
for time in first second; do
  carom --json
  expect "exit 1, $time time" exits 1
  expect "the log, $time time" says 'broken here'
  expect "no output, $time time" prints ''
done

# Not Debian: what is needed is named, and the build is tried. No stand-in can hide dpkg-query, so
# the search path shrinks to the stand-ins and what else the launcher calls.
rm "$box/bin/dpkg-query"
for tool in awk cp dirname find flock grep mkdir mv nproc readlink sh tail touch; do
  ln -s "$(command -v "$tool")" "$box/bin/$tool"
done
search_path=$box/bin
carom
expect 'the names' says 'g++ libfmt-dev'
expect 'the build is tried' says 'broken here'

[ "$failures" -eq 0 ] && echo 'The launcher does what it should.'
