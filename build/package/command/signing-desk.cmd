@echo off
rem The program as a prompt calls it. It belongs to no console, and a prompt does not wait for it; a
rem batch file does, and hands on its exit code. Without a command it opens the window.
rem No block in parentheses: a ")" in an argument or in "Program Files (x86)" would end it.
setlocal DisableDelayedExpansion
"%~dp0..\Signing Desk.exe" %*
exit /b %ERRORLEVEL%
