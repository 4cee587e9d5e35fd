# Mapped sources in a build; docs/build.md shows both functions at work.
#
# septran_target_sources(<target> MAPPING <file> SOURCES <file>...
#                        [MACHINE <name>] [MACHINE_PATH <folder>...] [TUNE <path=value>...]
#                        [ENTRY <task>] [SHAPES <name=values>...] [OPTIONS <flag>...] [NO_MACHINE_FLAGS])
#
#   Rewrites sources of a target: in its place each is compiled as septran-rewrite maps it, in the
#   language of the machine and with the machine file's flags (unless NO_MACHINE_FLAGS). A source
#   that the target does not have yet is added to it. Without MAPPING one is derived for MACHINE and
#   the task ENTRY, which may be left out where there is only one; SHAPES are those it is derived for.
#   septran-rewrite sees the target's include folders and definitions, those of the source itself, and OPTIONS.
#
# septran_target_plugin(<target> <the same arguments> [CHECK])
#
#   The same inside clang 19, by the plugin: the sources stay those of the target, and the compiler
#   maps them as it reads them. With CHECK it only checks them, and the mapping if there is one. CPUs
#   only.
#
# septran_add_kernel(<name> [STATIC | SHARED | OBJECT] [C_ABI] <the same arguments>)
#
#   A library of mapped sources. With C_ABI it has one source, and exports nothing but the functions
#   of <name>.h, which take DLPack tensors; it is SHARED then unless something else is said. STATIC
#   does not export more, either; of OBJECT, what is linked with it sees all.

include_guard()

set(SepTran_OWN_SYMBOLS "${CMAKE_CURRENT_LIST_DIR}/SepTranOwnSymbols.cmake")

function(septran_add_kernel name)
  cmake_policy(VERSION 3.25)
  set(arguments ${ARGN})
  set(type)
  set(library)
  while(arguments)
    list(GET arguments 0 first)
    if(first MATCHES "^(STATIC|SHARED|OBJECT)$")
      set(type ${first})
    elseif(first STREQUAL "C_ABI")
      set(library ${name})
    else()
      break()
    endif()
    list(REMOVE_AT arguments 0)
  endwhile()
  if(library)
    if(NOT type)
      set(type SHARED)
    endif()
    add_library(${name} ${type})
    _septran_export_c(${name})
  else()
    if(NOT type)
      set(type STATIC)
    endif()
    add_library(${name} ${type})
    target_link_libraries(${name} PUBLIC SepTran::septran)
  endif()
  _septran_map_sources(${name} "${library}" ${arguments})
endfunction()

function(septran_target_sources target)
  cmake_policy(VERSION 3.25)
  _septran_map_sources(${target} "" ${ARGN})
endfunction()

# The C functions alone are visible: what the compiler makes of templates of the standard library is
# so whatever it is told, and only the linker can hide it.
function(_septran_export_c name)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/septran/${name}")
  set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET hidden
                        CUDA_VISIBILITY_PRESET hidden HIP_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(${name} INTERFACE "${folder}")
  set(functions ${name} ${name}_infer_shapes ${name}_describe ${name}_last_error)
  get_target_property(type ${name} TYPE)
  if(type STREQUAL "SHARED_LIBRARY" AND UNIX AND NOT APPLE)
    list(JOIN functions "; " names)
    file(CONFIGURE OUTPUT "${folder}/${name}.map"
         CONTENT "{ global: ${names}; local: *; };\n" @ONLY)
    target_link_options(${name} PRIVATE "LINKER:--version-script,${folder}/${name}.map")
  elseif(type STREQUAL "STATIC_LIBRARY" AND UNIX AND NOT APPLE)
    # Symbols that are unique in a process cannot be made a library's own; nor can those that only the
    # link brings about.
    set_target_properties(${name} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${name} PRIVATE
                             "$<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique;-fno-lto>"
                             "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fno-gnu-unique>")
    endif()
    add_custom_command(
      TARGET ${name} POST_BUILD
      COMMAND "${CMAKE_COMMAND}" -D "LIBRARY=$<TARGET_FILE:${name}>" -D "KEEP=${functions}"
              -D "LINKER=${CMAKE_LINKER}" -D "OBJCOPY=${CMAKE_OBJCOPY}" -D "AR=${CMAKE_AR}"
              -P "${SepTran_OWN_SYMBOLS}"
      VERBATIM)
  endif()
endfunction()

# `library` is the name of a library with a C interface, or empty.
function(_septran_map_sources target library)
  set(call "septran_target_sources(${target})")
  _septran_parse("" ${ARGN})
  if(library)
    set(call "septran_add_kernel(${target})")
    list(LENGTH arg_SOURCES count)
    if(NOT count EQUAL 1)
      message(FATAL_ERROR "${call}: C_ABI takes one source, found ${count}")
    endif()
    if(NOT library MATCHES "^[A-Za-z][A-Za-z0-9_]*$")
      message(FATAL_ERROR "${call}: C_ABI needs a target whose name can begin C functions: letters, "
                          "digits and '_'")
    endif()
    if(NOT language MATCHES "^(CXX|CUDA|HIP)$")
      message(FATAL_ERROR "${call}: the mapping writes ${language}; C_ABI accepts machines whose "
                          "language is c++, cuda or hip")
    endif()
  endif()
  set(compiled)
  foreach(source IN LISTS arg_SOURCES)
    _septran_add_rule(${target} "${source}" "${arg_MAPPING}" "${request}" "${arg_OPTIONS}"
                      ${language} "${library}" output)
    if(NOT arg_NO_MACHINE_FLAGS)
      set_property(SOURCE "${output}" APPEND PROPERTY COMPILE_OPTIONS ${flags})
    endif()
    list(APPEND compiled "${output}")
  endforeach()
  target_sources(${target} PRIVATE ${compiled})
  _septran_link(${target} "${flags}")
endfunction()

function(septran_target_plugin target)
  cmake_policy(VERSION 3.25)
  set(call "septran_target_plugin(${target})")
  _septran_parse(CHECK ${ARGN})
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR NOT CMAKE_CXX_COMPILER_VERSION MATCHES "^19\\.")
    message(FATAL_ERROR "${call}: the plugin is for clang 19, and the compiler is "
                        "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}; "
                        "septran_target_sources works with any")
  endif()
  if(language AND NOT language STREQUAL "CXX")
    message(FATAL_ERROR "${call}: the mapping writes ${language}, which clang does not read as C++; "
                        "use septran_target_sources")
  endif()
  set(options "-fplugin=${SepTran_PLUGIN}" ${request})
  list(TRANSFORM options REPLACE "^--" "-fplugin-arg-septran-")
  if(arg_CHECK)
    list(APPEND options "-fplugin-arg-septran-check")
  elseif(arg_NO_MACHINE_FLAGS)
    list(APPEND options -fopenmp)
  else()
    list(APPEND options ${flags})
  endif()
  set_property(SOURCE ${arg_SOURCES} APPEND PROPERTY COMPILE_OPTIONS ${options} ${arg_OPTIONS})
  set_property(SOURCE ${arg_SOURCES} APPEND PROPERTY OBJECT_DEPENDS "${SepTran_PLUGIN}"
               ${arg_MAPPING})
  if(arg_CHECK)
    set(flags)
  endif()
  _septran_link(${target} "${flags}")
endfunction()

# The arguments of both functions, as variables of the caller: arg_SOURCES and arg_MAPPING as absolute
# paths, `request` for the tool, `language` and `flags` of what the mapping writes.
macro(_septran_parse options)
  cmake_parse_arguments(arg "NO_MACHINE_FLAGS;${options}" "MAPPING;MACHINE;ENTRY"
                        "SOURCES;MACHINE_PATH;TUNE;SHAPES;OPTIONS" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${call}: unknown arguments: ${arg_UNPARSED_ARGUMENTS}; expected MAPPING, "
                        "SOURCES, MACHINE, MACHINE_PATH, TUNE, ENTRY, SHAPES, OPTIONS or NO_MACHINE_FLAGS")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${call}: no value after ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "${call}: SOURCES is missing")
  endif()
  if(NOT arg_MAPPING AND "${options}" STREQUAL "CHECK" AND NOT arg_CHECK)
    message(FATAL_ERROR "${call}: MAPPING is missing")
  elseif(NOT arg_MAPPING AND NOT arg_MACHINE AND NOT arg_CHECK)
    message(FATAL_ERROR "${call}: MAPPING is missing; or MACHINE, to derive one for")
  endif()
  if(arg_ENTRY AND arg_MAPPING)
    message(FATAL_ERROR "${call}: ENTRY has no meaning with MAPPING, which names its own")
  endif()
  if(arg_SHAPES AND arg_MAPPING)
    message(FATAL_ERROR "${call}: SHAPES has no meaning with MAPPING: one is derived for them")
  endif()
  if(arg_TUNE AND NOT arg_MAPPING)
    message(FATAL_ERROR "${call}: TUNE has no meaning without MAPPING")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${call}: there is no such target")
  endif()
  get_target_property(target_folder ${target} SOURCE_DIR)
  if(NOT target_folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    message(FATAL_ERROR "${call}: expected in ${target_folder}, where the target was made: rules of "
                        "another folder are not seen there")
  endif()
  set(request)
  set(language)
  set(flags)
  foreach(name MAPPING MACHINE_PATH SOURCES)
    set(paths)
    foreach(item IN LISTS arg_${name})
      cmake_path(ABSOLUTE_PATH item BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
      list(APPEND paths "${item}")
    endforeach()
    set(arg_${name} ${paths})
  endforeach()
  foreach(name MAPPING MACHINE MACHINE_PATH TUNE)
    string(TOLOWER "${name}" option)
    string(REPLACE "_" "-" option "${option}")
    foreach(value IN LISTS arg_${name})
      list(APPEND request "--${option}=${value}")
    endforeach()
  endforeach()
  if(arg_MAPPING OR (arg_MACHINE AND NOT arg_CHECK))
    _septran_read_toolchain("${call}" "${request}" language flags)
    if(arg_ENTRY)
      list(APPEND request "--entry=${arg_ENTRY}")
    endif()
    foreach(shape IN LISTS arg_SHAPES)
      list(APPEND request "--shape=${shape}")
    endforeach()
  endif()
endmacro()

function(_septran_link target flags)
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES SepTran::septran)
  target_compile_features(${target} PRIVATE cxx_std_20)
  if("-fopenmp" IN_LIST flags)
    _septran_link_openmp(${target})
  endif()
endfunction()

# The language of CMake and the flags for what the request writes. The mapping says both, so that a
# change of it, or of the machine file, configures the project again.
function(_septran_read_toolchain call request language_result flags_result)
  execute_process(COMMAND "${SepTran_REWRITE}" --print-toolchain ${request}
                  OUTPUT_VARIABLE said ERROR_VARIABLE problem RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${call}: ${SepTran_REWRITE} ended with ${code}\n${problem}")
  endif()
  string(REPLACE ";" "\\;" said "${said}")
  string(REPLACE "\n" ";" said "${said}")
  set(flags)
  foreach(line IN LISTS said)
    if(line MATCHES "^language: (.*)$")
      set(written "${CMAKE_MATCH_1}")
    elseif(line MATCHES "^flag: (.*)$")
      list(APPEND flags "${CMAKE_MATCH_1}")
    elseif(line MATCHES "^file: (.*)$")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  set(names c++ cuda hip c)
  set(languages CXX CUDA HIP C)
  list(FIND names "${written}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${call}: the machine's language is ${written}, which CMake does not compile")
  endif()
  list(GET languages ${at} language)
  get_property(enabled GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT language IN_LIST enabled)
    message(FATAL_ERROR "${call}: the mapping writes ${language}, which is none of the project's "
                        "languages: ${enabled}")
  endif()
  # CUDA_ARCHITECTURES or HIP_ARCHITECTURES of the project is more than one flag says; the standard of CUDA is not known
  # to all versions of CMake.
  list(FILTER flags EXCLUDE REGEX "^-arch=")
  if(language STREQUAL "HIP")
    list(FILTER flags EXCLUDE REGEX "^(-x|hip|--offload-arch=.*)$")
  endif()
  if(language STREQUAL "CXX")
    list(FILTER flags EXCLUDE REGEX "^-std=")
  endif()
  set(${language_result} ${language} PARENT_SCOPE)
  set(${flags_result} "${flags}" PARENT_SCOPE)
endfunction()

# What tells septran-rewrite the processor that a cross compiler is for, and where its headers are.
function(_septran_cross_flags result)
  set(flags)
  if(CMAKE_CROSSCOMPILING)
    set(triple "${CMAKE_CXX_COMPILER_TARGET}")
    if(NOT triple)
      execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -dumpmachine OUTPUT_VARIABLE triple
                      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
    if(triple)
      list(APPEND flags "--target=${triple}")
    endif()
    if(CMAKE_SYSROOT)
      list(APPEND flags "--sysroot=${CMAKE_SYSROOT}")
    endif()
  endif()
  set(${result} "${flags}" PARENT_SCOPE)
endfunction()

# The rule that writes the mapped form of one source; takes the source from the target.
function(_septran_add_rule target source mapping request options language library output_result)
  if(NOT EXISTS "${source}")
    get_source_file_property(generated "${source}" GENERATED)
    if(NOT generated)
      message(FATAL_ERROR "septran_target_sources(${target}): there is no file ${source}")
    endif()
  endif()
  cmake_path(IS_PREFIX CMAKE_CURRENT_SOURCE_DIR "${source}" inside)
  if(inside)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
               OUTPUT_VARIABLE name)
  else()
    cmake_path(GET source FILENAME name)
  endif()
  set(suffix_CXX cpp)
  set(suffix_CUDA cu)
  set(suffix_HIP hip)
  set(suffix_C c)
  cmake_path(REPLACE_EXTENSION name LAST_ONLY ${suffix_${language}} OUTPUT_VARIABLE mapped_name)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/septran/${target}/${mapped_name}")
  set(outputs "${output}")
  set(emit -o "${output}")
  if(library)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/septran/${target}/${library}")
    set(emit --emit=library -o "${output}")
    set(outputs "${output}.${suffix_${language}}" "${output}.h")
    string(APPEND output ".${suffix_${language}}")
  endif()
  get_source_file_property(taken "${output}" SEPTRAN_MAPPING)
  if(taken)
    message(FATAL_ERROR "septran_target_sources(${target}): ${name} is mapped already, by ${taken}")
  endif()
  set(mapped_by "${mapping}")
  if(NOT mapping) # a derived one, to look at and to begin from
    set(mapped_by "a derived mapping")
    set(derived "${output}.yaml")
    list(APPEND emit "--write-mapping=${derived}")
  endif()
  cmake_path(GET output PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")

  # Sources are listed as the user wrote them.
  get_target_property(sources ${target} SOURCES)
  set(others)
  foreach(other IN LISTS sources)
    set(path "${other}")
    cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    if(NOT other STREQUAL "sources-NOTFOUND" AND NOT path STREQUAL source)
      list(APPEND others "${other}")
    endif()
  endforeach()
  set_property(TARGET ${target} PROPERTY SOURCES ${others})

  # What is said of the source holds for its mapped form.
  set(own_flags)
  foreach(property COMPILE_DEFINITIONS INCLUDE_DIRECTORIES COMPILE_OPTIONS)
    get_source_file_property(value "${source}" ${property})
    if(value)
      set_property(SOURCE "${output}" APPEND PROPERTY ${property} ${value})
      if(property STREQUAL "COMPILE_DEFINITIONS")
        list(TRANSFORM value PREPEND "-D")
      elseif(property STREQUAL "INCLUDE_DIRECTORIES")
        list(TRANSFORM value PREPEND "-I")
      endif()
      list(APPEND own_flags ${value})
    endif()
  endforeach()
  # Includes in quotes are found beside the source.
  cmake_path(GET source PARENT_PATH beside)
  if(language STREQUAL "CXX")
    set_property(SOURCE "${output}" APPEND PROPERTY COMPILE_OPTIONS "-iquote${beside}")
  else()
    set_property(SOURCE "${output}" APPEND PROPERTY INCLUDE_DIRECTORIES "${beside}")
  endif()
  set_source_files_properties("${output}" PROPERTIES LANGUAGE ${language}
                              SEPTRAN_MAPPING "${mapped_by}")

  string(REGEX MATCHALL "(^| )-[DUI][^ ]+" global "${CMAKE_CXX_FLAGS}")
  list(TRANSFORM global STRIP)
  _septran_cross_flags(cross)
  set(standard "$<TARGET_PROPERTY:${target},CXX_STANDARD>")
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND "${SepTran_REWRITE}" "${source}" ${request} ${emit} --depfile "${output}.d" --
            "-std=c++$<IF:$<BOOL:${standard}>,${standard},20>" ${cross} ${global}
            "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
            "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
            ${own_flags} ${options}
    DEPENDS "${source}" ${mapping} "${SepTran_REWRITE}"
    DEPFILE "${output}.d"
    COMMENT "Mapping ${name}"
    COMMAND_EXPAND_LISTS VERBATIM)
  set(${output_result} "${output}" PARENT_SCOPE)
endfunction()

# The library alone: what the rest of the target is compiled with is not ours to change.
function(_septran_link_openmp target)
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES ${OpenMP_CXX_LIBRARIES})
  get_target_property(type ${target} TYPE)
  if(type MATCHES "STATIC|OBJECT")
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${OpenMP_CXX_LIBRARIES})
  endif()
endfunction()
