# sweepd_generate_proto(TARGET files…): C++ of messages, and of services where the file has one, below the binary folder.
find_program(PROTOC protoc REQUIRED)
find_program(GRPC_CPP_PLUGIN grpc_cpp_plugin REQUIRED)

function(sweepd_generate_proto target)
  set(root ${CMAKE_CURRENT_SOURCE_DIR})
  set(out ${CMAKE_CURRENT_BINARY_DIR}/generated)
  file(MAKE_DIRECTORY ${out})
  foreach(file ${ARGN})
    string(REGEX REPLACE "\\.proto$" "" stem ${file})
    set(outputs ${out}/${stem}.pb.cc ${out}/${stem}.pb.h)
    set(options --cpp_out=${out})
    if(stem MATCHES "_service$")
      list(APPEND outputs ${out}/${stem}.grpc.pb.cc ${out}/${stem}.grpc.pb.h)
      list(APPEND options --grpc_out=${out} --plugin=protoc-gen-grpc=${GRPC_CPP_PLUGIN})
    endif()
    add_custom_command(
      OUTPUT ${outputs}
      COMMAND ${PROTOC} -I ${root} ${options} ${file}
      WORKING_DIRECTORY ${root}
      DEPENDS ${root}/${file}
      COMMENT "Generating C++ of ${file}"
      VERBATIM)
    list(APPEND sources ${outputs})
  endforeach()
  target_sources(${target} PRIVATE ${sources})
  target_include_directories(${target} SYSTEM PUBLIC $<BUILD_INTERFACE:${out}>)
endfunction()
