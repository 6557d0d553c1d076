# Installs the SDK of BUILD_FOLDER below WORK_FOLDER, then configures, builds and runs the outside project with it.
# CXX_COMPILER, CXX_FLAGS, BUILD_TYPE and GENERATOR are those of the SDK: sanitizers have to match.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK_FOLDER}")
run(${CMAKE_COMMAND} --install "${BUILD_FOLDER}" --prefix "${WORK_FOLDER}/prefix" --component sdk
  --config "${BUILD_TYPE}")
run(${CMAKE_COMMAND} -S "${CMAKE_CURRENT_LIST_DIR}" -B "${WORK_FOLDER}/build" -G "${GENERATOR}"
  "-DCMAKE_PREFIX_PATH=${WORK_FOLDER}/prefix"
  "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
  "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}"
  "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}"
  # The package from this very prefix, not one that the machine has from before.
  "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF")
run(${CMAKE_COMMAND} --build "${WORK_FOLDER}/build" --config "${BUILD_TYPE}")
find_program(GAME game PATHS "${WORK_FOLDER}/build" "${WORK_FOLDER}/build/${BUILD_TYPE}" NO_DEFAULT_PATH REQUIRED)
run("${GAME}")
