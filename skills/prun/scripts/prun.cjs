#!/usr/bin/env node
"use strict";

// scripts-src/prun.ts
process.stdout.write("soon\n");
