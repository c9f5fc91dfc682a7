// The addresses that an administrator sets on the page: a file in DATA_DIR, which the environment and .env override.
import { readFileSync } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Config } from './config.ts'

export const addressSettings = ['HOST', 'SIP_HOST', 'PUBLIC_URL', 'PUBLIC_ADDRESS'] as const
export type AddressSetting = (typeof addressSettings)[number]
export type PageSettings = Readonly<Partial<Record<AddressSetting, string>>>

const fileIn = (dataDir: string) => join(dataDir, 'addresses.env')

export function readPageSettings(dataDir: string): PageSettings {
  const found = parseEnv(textOf(fileIn(dataDir)))
  return Object.fromEntries(addressSettings.flatMap((name) => (found[name] ? [[name, found[name]]] : [])))
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Replaces the file at once: a crash leaves the old one or the new one. */
export async function writePageSettings(dataDir: string, settings: PageSettings): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  const file = fileIn(dataDir)
  const handle = await open(`${file}.new`, 'w', 0o600)
  try {
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
    await handle.writeFile(`# Set on the settings page\n${lines.join('')}`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${file}.new`, file)
}

/** Sets the file aside after a start that failed with it. False: no address of it was in use. */
export async function rejectPageSettings({ dataDir, addresses }: Config): Promise<boolean> {
  const set = Object.keys(readPageSettings(dataDir)) as AddressSetting[]
  if (set.every((name) => addresses[name].isFixed)) return false
  await rename(fileIn(dataDir), `${fileIn(dataDir)}.rejected`)
  return true
}
