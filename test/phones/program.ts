// Runs a real SIP program in a test: in a folder of its own, with its output captured, and stopped with the test.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'

export type Program = {
  readonly process: ChildProcess
  readonly folder: string
  isRunning(): boolean
  /** The last 100,000 characters of stdout and stderr. */
  output(): string
  /** The last lines without colors, for failure messages. */
  lastWords(lines?: number): string
  write(line: string): void
  /** Resolves with the exit code, or null if a signal ended the program. */
  readonly exited: Promise<number | null>
  /** Sends SIGTERM, waits, then kills; removes the folder. */
  stop(ask?: () => void): Promise<void>
}

const KEPT = 100_000
/** How long a program may take for a clean exit, such as unregistering. */
const GRACE_MS = 800

/** Drops colors, blank lines, and the counters that baresip prints ten times a second. */
const readable = (output: string): string[] =>
  stripVTControlCharacters(output)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '' && !/^\[\d+:\d\d:\d\d\]/.test(line))

export const newFolder = (name: string): string => mkdtempSync(join(tmpdir(), `ramal-${name}-`))

/** Clean-up of programs that were not stopped. */
const leftovers = new Set<() => void>()
process.once('exit', () => {
  for (const remove of leftovers) remove()
})

export function startProgram(
  name: string,
  args: readonly string[],
  options: { folder: string; env?: Record<string, string>; whenOrphaned?: 'KILL' | 'TERM' },
): Program {
  const { folder, whenOrphaned = 'KILL' } = options
  // The kernel ends the program if the test is killed; the program's own process group includes its children.
  const child = spawn('setpriv', ['--pdeathsig', whenOrphaned, name, ...args], {
    cwd: folder,
    stdio: 'pipe',
    // Debian installs servers in sbin, which is not in every PATH.
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin`, ...options.env },
    detached: true,
  })
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The process group is already gone.
    }
  }
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-KEPT)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  // The program may exit before the last line is written to it.
  child.stdin.on('error', () => {})
  let isRunning = true
  const exited = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      isRunning = false
      output += `\n${error.message}`
      resolve(null)
    })
    child.once('close', (code) => {
      isRunning = false
      resolve(code)
    })
  })
  const remove = () => {
    kill()
    rmSync(folder, { recursive: true, force: true })
  }
  leftovers.add(remove)
  return {
    process: child,
    folder,
    isRunning: () => isRunning,
    output: () => output,
    lastWords: (lines = 25) => readable(output).slice(-lines).join('\n'),
    write: (line) => void child.stdin.write(`${line}\n`),
    exited,
    async stop(ask = () => child.kill('SIGTERM')) {
      if (isRunning) ask()
      await Promise.race([exited, sleep(GRACE_MS, undefined, { ref: false })])
      kill()
      await exited
      leftovers.delete(remove)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
