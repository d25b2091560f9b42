# Runs resource-run.cjs, which lies beside this file. Symlinks to this file are followed.
$file = Get-Item -Force -LiteralPath $PSCommandPath
while ($file.LinkType -eq 'SymbolicLink') { $target = @($file.Target)[0]; if (-not [IO.Path]::IsPathRooted($target)) { $target = Join-Path $file.DirectoryName $target }; $file = Get-Item -Force -LiteralPath $target }
if (-not (Get-Command node -CommandType Application -ErrorAction SilentlyContinue)) { [Console]::Error.WriteLine('resource-run: node is not on PATH: install Node 20 or newer'); exit 127 }
& node (Join-Path $file.DirectoryName 'resource-run.cjs') @args
exit $LASTEXITCODE
