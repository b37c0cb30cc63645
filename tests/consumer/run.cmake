# Installs the tree that is under test, builds project/ against the installed copy, runs both.
# Called by ctest with build (the tree), work (a folder to write to), generator and compiler.
set(prefix ${work}/prefix)
file(REMOVE_RECURSE ${prefix} ${work}/build)

function(run)
  list(JOIN ARGV " " command)
  message("-- ${command}")
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/project -B ${work}/build -G ${generator}
  -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_BUILD_TYPE=Release -D CMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/pendulum)
run(${work}/build/ball)
if(EXISTS ${prefix}/bin/carom)
  run(${prefix}/bin/carom --version)
  run(${prefix}/bin/carom list papers)
endif()
