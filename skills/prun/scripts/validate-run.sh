#!/bin/sh
# Runs validate-run.cjs, which lies beside this file. Symlinks to this file are followed.
prun_self=$0
while [ -L "$prun_self" ]; do prun_link=$(readlink "$prun_self"); case $prun_link in /*) prun_self=$prun_link ;; *) prun_self=$(dirname -- "$prun_self")/$prun_link ;; esac; done
command -v node >/dev/null 2>&1 || { echo 'validate-run: node is not on PATH: install Node 20 or newer' >&2; exit 127; }
exec node "$(dirname -- "$prun_self")/validate-run.cjs" "$@"
