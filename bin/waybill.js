#!/usr/bin/env node
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { launch } from './launch.js'

launch(fileURLToPath(new URL('../cli/waybill.ts', import.meta.url)), process.argv.slice(2))
