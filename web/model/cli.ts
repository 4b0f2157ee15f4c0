#!/usr/bin/env node
import { main } from './cli/main.js';

// A reader that has seen enough, as head does, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
await main(process.argv.slice(2));
