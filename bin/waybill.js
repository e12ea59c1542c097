#!/usr/bin/env node
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { launch } from './launch.js'
import { thriftyEnvironment, thriftyFlags } from './thrift.js'

const program = fileURLToPath(new URL('../cli/waybill.ts', import.meta.url))

launch(program, process.argv.slice(2), { flags: thriftyFlags, environment: thriftyEnvironment })
