# cmake -DMANIFEST=install_manifest.txt -P Uninstall.cmake: remove what the last install wrote.
if(NOT EXISTS "${MANIFEST}")
  message(FATAL_ERROR "${MANIFEST} does not exist: nothing was installed from this build directory")
endif()
file(STRINGS "${MANIFEST}" files)
foreach(file IN LISTS files)
  message(STATUS "Removing $ENV{DESTDIR}${file}")
  file(REMOVE "$ENV{DESTDIR}${file}")
endforeach()
