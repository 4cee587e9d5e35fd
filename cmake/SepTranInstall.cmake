# What `cmake --install` gives: tools, headers, machine files, the emulator of GPUs, and packages for
# CMake and pkg-config. Nothing of it names an absolute path.
include(CMakePackageConfigHelpers)

set(septran_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/SepTran)
set(septran_data_dir ${CMAKE_INSTALL_DATADIR}/septran)

install(DIRECTORY runtime/include/septran DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY mappings/machines DESTINATION ${septran_data_dir})
install(FILES mappings/machine.schema.json mappings/mapping.schema.json
        DESTINATION ${septran_data_dir})
install(DIRECTORY python/septran DESTINATION ${septran_data_dir}/python FILES_MATCHING PATTERN "*.py")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(TARGETS septran_runtime septran_emulator EXPORT SepTranTargets)
install(EXPORT SepTranTargets NAMESPACE SepTran:: DESTINATION ${septran_package_dir})
configure_package_config_file(cmake/SepTranConfig.cmake.in
  "${PROJECT_BINARY_DIR}/SepTranConfig.cmake"
  INSTALL_DESTINATION ${septran_package_dir}
  PATH_VARS CMAKE_INSTALL_FULL_BINDIR CMAKE_INSTALL_FULL_LIBDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/SepTranConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/SepTranFunctions.cmake
        cmake/SepTranOwnSymbols.cmake
        "${PROJECT_BINARY_DIR}/SepTranConfig.cmake"
        "${PROJECT_BINARY_DIR}/SepTranConfigVersion.cmake"
        DESTINATION ${septran_package_dir})

file(RELATIVE_PATH SEPTRAN_PC_PREFIX
     "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
configure_file(cmake/septran.pc.in "${PROJECT_BINARY_DIR}/septran.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/septran.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
