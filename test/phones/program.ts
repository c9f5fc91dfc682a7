// A real SIP program that a test runs: in a folder of its own, with its words kept, and dead when the test is.
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
  /** What it has written, to both outputs; the last 100,000 characters. */
  output(): string
  /** The last lines, without colours: for the message of a failure. */
  lastWords(lines?: number): string
  write(line: string): void
  /** Resolves with the exit code, or null when a signal ended it. */
  readonly exited: Promise<number | null>
  /** Asks politely, waits, then kills; takes the folder away. */
  stop(ask?: () => void): Promise<void>
}

const KEPT = 100_000
/** How long a program may take to leave politely, as by taking back its registration. */
const GRACE_MS = 800

/** Without colours, blank lines and the counters that baresip writes ten times a second. */
const readable = (output: string): string[] =>
  stripVTControlCharacters(output)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '' && !/^\[\d+:\d\d:\d\d\]/.test(line))

export const newFolder = (name: string): string => mkdtempSync(join(tmpdir(), `ramal-${name}-`))

export function startProgram(
  name: string,
  args: readonly string[],
  options: { folder: string; env?: Record<string, string>; whenOrphaned?: 'KILL' | 'TERM' },
): Program {
  const { folder, whenOrphaned = 'KILL' } = options
  // The kernel ends it when we die without a word (a killed test); a group of its own takes its children with it.
  const child = spawn('setpriv', ['--pdeathsig', whenOrphaned, name, ...args], {
    cwd: folder,
    stdio: 'pipe',
    // Debian keeps servers where only root looks.
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin`, ...options.env },
    detached: true,
  })
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // Nobody of the group is left.
    }
  }
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-KEPT)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  // It may be gone before the last line is written to it.
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
  const atExit = () => {
    kill()
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', atExit)
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
      process.off('exit', atExit)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
