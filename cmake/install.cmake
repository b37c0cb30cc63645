# cmake --install: headers and carom::core for find_package(carom), the program, its scenarios.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(carom_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/carom)

install(DIRECTORY include/carom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(TARGETS carom_core EXPORT carom-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT carom-targets NAMESPACE carom:: DESTINATION ${carom_package_dir})

configure_package_config_file(cmake/carom-config.cmake.in carom-config.cmake
  INSTALL_DESTINATION ${carom_package_dir})
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(carom-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/carom-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/carom-config-version.cmake DESTINATION ${carom_package_dir})

if(TARGET carom)
  install(TARGETS carom RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(TARGET carom_mpi)
    install(TARGETS carom_mpi LIBRARY DESTINATION lib/carom)
  endif()
  if(TARGET carom_papers)  # a build of the program alone has none
    install(TARGETS carom_papers LIBRARY DESTINATION lib/carom OPTIONAL)
  endif()
  install(DIRECTORY scenarios/ DESTINATION ${CMAKE_INSTALL_DATADIR}/carom/scenarios)
endif()
