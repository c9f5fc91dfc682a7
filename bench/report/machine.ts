// The conditions of a run: machine, commit, load, and the CPU time that other processes used meanwhile.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'

export type Machine = { cores: number; model: string; memoryGb: number; node: string; system: string }
export type Commit = { id: string; isModified: boolean }
export type Load = {
  before: number
  /** Range of the one-minute load average during the run; it includes the benchmark itself. */
  during: { least: number; most: number } | null
  /** Mean number of cores that other processes used during the run; null without /proc. */
  othersCores: number | null
}

const SAMPLE_MS = 2000
/** Above this load average before the run, or this many cores used by others during it, the figures are affected. */
const BUSY_BEFORE = 0.5
const BUSY_DURING = 0.2

const run = (program: string, args: readonly string[]): string | null => {
  try {
    return execFileSync(program, args, { encoding: 'utf8', timeout: 10_000, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return null
  }
}

export function machine(): Machine {
  const [first] = cpus()
  const named = first?.model.trim()
  // Node does not know the model of ARM processors.
  const model = named && named !== 'unknown' ? named : /^Model name:\s*(.+)$/m.exec(run('lscpu', []) ?? '')?.[1]?.trim()
  return {
    cores: cpus().length,
    model: model ?? process.arch,
    memoryGb: Math.round(totalmem() / 1e9),
    node: process.version,
    system: `${process.platform} ${process.arch}`,
  }
}

/** Files that a run writes itself do not count as modifications. */
const written = [':!docs/benchmarks.md', ':!bench/results']

export function commit(): Commit | null {
  const id = run('git', ['rev-parse', '--short', 'HEAD'])?.trim()
  if (!id) return null
  const changes = run('git', ['status', '--porcelain', '--', '.', ...written])
  return { id, isModified: changes === null || changes.trim() !== '' }
}

/** A preceding benchmark raises the load average, so the cores used by others are the better indicator. */
export const isBusy = ({ before, othersCores }: Load): boolean =>
  othersCores === null ? before > BUSY_BEFORE : othersCores > BUSY_DURING

/** Watches the load until the returned function is called; does not keep the process alive. */
export function watchLoad(): () => Load {
  const [before = 0] = loadavg()
  const seen: number[] = []
  let [busy, own] = [machineTicks(), ownTicks()]
  let [others, all] = [0, 0]
  const sample = () => {
    seen.push(loadavg()[0] ?? 0)
    const [busyNow, ownNow] = [machineTicks(), ownTicks()]
    if (!busyNow || !busy) return
    // A process that left our tree takes its CPU time with it; that time must not count as the others'.
    others += Math.max(0, busyNow.used - busy.used - Math.max(0, ownNow - own))
    all += busyNow.total - busy.total
    ;[busy, own] = [busyNow, ownNow]
  }
  const timer = setInterval(sample, SAMPLE_MS).unref()
  return () => {
    clearInterval(timer)
    sample()
    const during = seen.length === 0 ? null : { least: Math.min(...seen), most: Math.max(...seen) }
    return { before, during, othersCores: all > 0 ? (others / all) * cpus().length : null }
  }
}

/**
 * Clock ticks of all processors. Includes time stolen by other virtual machines; excludes interrupts, which our own
 * packets cause as well.
 */
function machineTicks(): { used: number; total: number } | null {
  try {
    const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? ''
    const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = line
      .split(/ +/)
      .slice(1)
      .map(Number)
    const used = user + nice + system + steal
    return { used, total: used + idle + iowait + irq + softirq }
  } catch {
    return null
  }
}

const KERNEL_THREAD = 0x0020_0000

/**
 * Clock ticks of this process and its descendants, including those that have exited, and of kernel threads, which work
 * for us too.
 */
function ownTicks(): number {
  const processes = new Map<number, { parent: number; flags: number; ticks: number }>()
  for (const name of listProc()) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number) // the process name before it may contain spaces
      const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0)
      processes.set(Number(name), { parent: fields[1] ?? 0, flags: fields[6] ?? 0, ticks })
    } catch {
      // the process ended between the two reads
    }
  }
  const isOwn = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = processes.get(at)?.parent)
      if (at === process.pid) return true
    return false
  }
  let sum = 0
  for (const [pid, { ticks, flags }] of processes) if ((flags & KERNEL_THREAD) !== 0 || isOwn(pid)) sum += ticks
  return sum
}

function listProc(): string[] {
  try {
    return readdirSync('/proc')
  } catch {
    return []
  }
}
