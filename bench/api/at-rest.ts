// Measurements without load: startup time, idle memory, and the event-loop delay while a long list is sent.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../report/child.ts'
import type { LoopDelay } from './loop-delay.ts'
import { residentMb } from './proc.ts'
import type { Scenario } from './scenarios.ts'
import type { Seeded } from './seed.ts'
import { atExit, cleanEnv, type Load, newPlace, type Place, root, startReal } from './servers.ts'

const REST_MS = 5000
/** A server that is not up within this limit is stopped, and its output is shown. */
const START_LIMIT_MS = 60_000

/**
 * Seconds from `npm start` to the first 200 on /healthz: with an empty data folder, then with the data of the first
 * start.
 */
export async function measureStarts(
  postgresUrl: string | null,
  rounds: number,
): Promise<{ firstSeconds: number[]; secondSeconds: number[] }> {
  const first: number[] = []
  const second: number[] = []
  for (let i = 0; i < rounds; i++) {
    const place = await newPlace(postgresUrl, `start_${i}`)
    first.push(await secondsToHealth(place))
    second.push(await secondsToHealth(place))
  }
  return { firstSeconds: first, secondSeconds: second }
}

async function secondsToHealth(place: Place): Promise<number> {
  const start = performance.now()
  // npm, its shell and the server share a process group, so that one signal ends all of them.
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: cleanEnv(place),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const end = (signal: NodeJS.Signals) => {
    if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, signal)
  }
  const forget = atExit(() => end('SIGKILL'))
  const limit = setTimeout(() => end('SIGKILL'), START_LIMIT_MS)
  let told = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    told += text
  })
  let seconds = Number.NaN
  for await (const text of child.stdout.setEncoding('utf8')) {
    told += text
    const address = /Ramal listens on (\S+) /.exec(told)?.[1]
    if (!address) continue
    const answer = await fetch(`${address}/healthz`)
    if (answer.status === 200) seconds = (performance.now() - start) / 1000
    break
  }
  end('SIGTERM')
  await exited
  clearTimeout(limit)
  forget()
  if (Number.isNaN(seconds)) throw new Error(`npm start did not lead to a healthy server:\n${told}`)
  return seconds
}

/**
 * Resident memory a few seconds after a second start, once per round: the first start compiles code and migrates the
 * database.
 */
export async function measureMemory(postgresUrl: string | null, rounds: number): Promise<number[]> {
  const all: number[] = []
  for (let i = 0; i < rounds; i++) {
    const place = await newPlace(postgresUrl, `memory_${i}`)
    await (await startReal(place)).stop()
    const server = await startReal(place)
    await sleep(REST_MS)
    all.push(residentMb(server.pid))
    await server.stop()
  }
  return all
}

/** Measured inside the server while the scenario's requests are sent over this many connections. */
export async function measureLoopDelay(
  place: Place,
  scenario: Scenario,
  seeded: Seeded,
  load: Load,
  connections: number,
  seconds: number,
): Promise<LoopDelay> {
  const server = await startReal(place, ['--import', './bench/api/loop-delay.ts'])
  const job = { port: server.port, connections, requests: scenario.requests(seeded), expect: scenario.expect }
  await load.run({ ...job, seconds }) // warm-up
  await ask(server.child, 'begin')
  await load.run({ ...job, seconds })
  const delay = await ask<LoopDelay>(server.child, 'end')
  await server.stop()
  return delay
}
