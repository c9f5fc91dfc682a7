// An independent XLSX implementation as a test oracle: openpyxl on Debian's Python.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const python = async (script: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)('/usr/bin/python3', ['-W', 'ignore', '-c', script, ...args], { timeout: 30_000 })).stdout

const reading = `
import sys, json, datetime, openpyxl
def cell(c):
    v = c.value
    return [c.data_type, v.isoformat() if isinstance(v, (datetime.datetime, datetime.date, datetime.time)) else v]
sheet = openpyxl.load_workbook(sys.argv[1]).active
print(json.dumps([[cell(c) for c in row] for row in sheet.iter_rows()]))
`

/** Each cell as [type, value]: s text, n number or empty, b boolean, d date, f formula. */
export async function readByOpenpyxl(file: Uint8Array): Promise<[type: string, value: unknown][][]> {
  return inFolder(async (path) => {
    writeFileSync(path, file)
    return JSON.parse(await python(reading, path))
  })
}

/** The script gets an empty `sheet` and fills it. */
export async function writeByOpenpyxl(script: string): Promise<Buffer> {
  const whole = `
import sys, datetime, openpyxl
from datetime import date, datetime as moment, time
book = openpyxl.Workbook()
sheet = book.active
${script}
book.save(sys.argv[1])
`
  return inFolder(async (path) => {
    await python(whole, path)
    return readFile(path)
  })
}

async function inFolder<T>(work: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-xlsx-'))
  try {
    return await work(join(folder, 'file.xlsx'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
