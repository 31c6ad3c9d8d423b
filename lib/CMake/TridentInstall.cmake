# What `cmake --install` lays down: the tools (by trident_tool), the header of the generated code, the kernels and
# their schedules, the driver stand-in, and the package that find_package(Trident) reads. `uninstall` takes it away.
include(CMakePackageConfigHelpers)

set(TRIDENT_KERNEL_DIR ${CMAKE_INSTALL_DATADIR}/trident/kernels)
set(TRIDENT_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Trident)

install(FILES ${PROJECT_SOURCE_DIR}/include/trident/launch.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/trident)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/kernels/ DESTINATION ${TRIDENT_KERNEL_DIR}
        PATTERN "CMakeLists.txt" EXCLUDE PATTERN "*.cmake*" EXCLUDE)
if(TARGET trident_emu)
  install(TARGETS trident_emu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/kernels/TridentConfig.cmake.in ${PROJECT_BINARY_DIR}/package/TridentConfig.cmake
  INSTALL_DESTINATION ${TRIDENT_PACKAGE_DIR}
  PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR TRIDENT_KERNEL_DIR)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/package/TridentConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/TridentConfig.cmake
              ${PROJECT_BINARY_DIR}/package/TridentConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/kernels/TridentAddKernel.cmake
        DESTINATION ${TRIDENT_PACKAGE_DIR})

# An install keeps the times of the build, which may be older than what a user's project made with the last compiler;
# touched, the compiler is newer than all of that, and the project compiles its kernels again.
install(CODE "file(TOUCH_NOCREATE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/trident-compile\")")

add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
          -P ${PROJECT_SOURCE_DIR}/lib/CMake/Uninstall.cmake
  COMMENT "Removing the files of the last install" VERBATIM)
