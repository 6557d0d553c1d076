# The folder's CMakeLists.txt is the outside project's own, so the test is declared here.
add_test(NAME sdk_outside_project COMMAND ${CMAKE_COMMAND}
  "-DBUILD_FOLDER=${PROJECT_BINARY_DIR}"
  "-DWORK_FOLDER=${CMAKE_CURRENT_BINARY_DIR}/outside_project"
  "-DCXX_COMPILER=${CMAKE_CXX_COMPILER}"
  "-DCXX_FLAGS=${CMAKE_CXX_FLAGS}"
  "-DBUILD_TYPE=$<CONFIG>"
  "-DGENERATOR=${CMAKE_GENERATOR}"
  -P "${CMAKE_CURRENT_LIST_DIR}/run.cmake")
set_tests_properties(sdk_outside_project PROPERTIES LABELS integration TIMEOUT 600)
