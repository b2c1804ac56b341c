@echo off
rem The command line of the installed program. Its window belongs to no console, and a prompt does not
rem wait for it; a batch file does, and hands on its exit code.
if "%~1"=="" (
  "%~dp0..\Signing Desk.exe" --help
) else (
  "%~dp0..\Signing Desk.exe" %*
)
exit /b %ERRORLEVEL%
