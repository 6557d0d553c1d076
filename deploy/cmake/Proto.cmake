# sweepd_generate_proto(TARGET files…): C++ of messages, and of services where the file has one, below the binary folder.
find_program(PROTOC protoc REQUIRED)
find_program(GRPC_CPP_PLUGIN grpc_cpp_plugin REQUIRED)

# Generated files give the same names to things of their own: compiled together, each name gets the file's id.
set(SWEEPD_GENERATED_NAMES [[
#include <google/protobuf/generated_message_reflection.h>
#define SWEEPD_JOIN(name, id) name##id
#define SWEEPD_UNIQUE(name, id) SWEEPD_JOIN(name, id)
#define schemas SWEEPD_UNIQUE(schemas_, SWEEPD_FILE_ID)
#define file_default_instances SWEEPD_UNIQUE(file_default_instances_, SWEEPD_FILE_ID)
]])
set(SWEEPD_GENERATED_NAMES_END [[
#undef SWEEPD_JOIN
#undef SWEEPD_UNIQUE
#undef schemas
#undef file_default_instances
]])

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
  if(SWEEPD_SANITIZERS)
    # Generated code is Protobuf's and gRPC's, as are the libraries below it, which have no sanitizer, either.
    target_compile_options(${target} PRIVATE -fno-sanitize=all -g0 -O0)
  endif()
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD_BATCH_SIZE 6
    UNITY_BUILD_UNIQUE_ID SWEEPD_FILE_ID
    UNITY_BUILD_CODE_BEFORE_INCLUDE "${SWEEPD_GENERATED_NAMES}"
    UNITY_BUILD_CODE_AFTER_INCLUDE "${SWEEPD_GENERATED_NAMES_END}")
  target_include_directories(${target} SYSTEM PUBLIC $<BUILD_INTERFACE:${out}>)
endfunction()
