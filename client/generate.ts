// `npm run client`: regenerates client/paths.ts from the routes.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config/load.ts'
import { type Document, writeTypes } from './write-types.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
export const file = join(root, 'client/paths.ts')

/** Formatted by the project's formatter settings. */
export const textOf = (document: Document): string =>
  execFileSync(join(root, 'node_modules/.bin/biome'), ['format', `--stdin-file-path=${file}`], {
    cwd: root,
    input: writeTypes(document),
    encoding: 'utf8',
    maxBuffer: 16_777_216,
  })

async function generate(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-client-'))
  const settings = { DATA_DIR: dataDir, PORT: '0', SIP_PORT: '0', EMBEDDED_VOICE: 'off' }
  const app = await buildApp(readConfig(settings), pino({ level: 'silent' }))
  try {
    writeFileSync(file, textOf(app.http.swagger() as unknown as Document))
  } finally {
    await app.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (import.meta.main) await generate()
