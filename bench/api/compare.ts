// Checks that all three servers give the same response to a scenario, then measures them in turn, round after round.
import assert from 'node:assert/strict'
import type { Figure } from '../report/figures.ts'
import type { KeptAnswer } from './answer-reader.ts'
import { cpuSeconds } from './proc.ts'
import type { Scenario } from './scenarios.ts'
import type { Seeded } from './seed.ts'
import { ask, type Bare, type Load, type Server } from './servers.ts'

export type Contenders = { real: Server; bare: Bare; express: Server }

export type Figures = {
  perSecond: number
  cpuMicroseconds: number
  p50Ms: Figure
  p99Ms: Figure
  clientShare: number
}

/** One entry per round. */
export type Comparison = Record<keyof Contenders, readonly Figures[]>

/** JIT compilation of the largest of the three servers takes longer than a short round. */
const WARM_UP_SECONDS = 3

export async function compare(
  contenders: Contenders,
  scenario: Scenario,
  seeded: Seeded,
  load: Load,
  options: { seconds: number; rounds: number },
): Promise<Comparison> {
  await checkAnswers(contenders, scenario, seeded)
  const requests = scenario.requests(seeded)
  const { connections, expect } = scenario

  const round = async (server: Server, forSeconds = options.seconds): Promise<Figures> => {
    const cpu = cpuSeconds(server.pid)
    const job = { port: server.port, seconds: forSeconds, connections, requests, expect }
    const { answers, seconds, p50Ms, p99Ms, clientShare } = await load.run(job)
    if (answers === 0) throw new Error(`${scenario.title}: no response within ${options.seconds} s`)
    return {
      perSecond: answers / seconds,
      cpuMicroseconds: ((cpuSeconds(server.pid) - cpu) / answers) * 1e6,
      p50Ms,
      p99Ms,
      clientShare,
    }
  }

  const servers = [contenders.real, contenders.bare, contenders.express]
  for (const server of servers) await round(server, Math.max(WARM_UP_SECONDS, options.seconds))
  const rounds: Figures[][] = [[], [], []]
  for (let i = 0; i < options.rounds; i++)
    for (const [j, server] of servers.entries()) rounds[j]?.push(await round(server))
  const [real = [], bare = [], express = []] = rounds
  return { real, bare, express }
}

/** Loads the real server's response into the bare one and checks that all three give the same response. */
async function checkAnswers({ real, bare, express }: Contenders, scenario: Scenario, seeded: Seeded): Promise<void> {
  const [request] = scenario.requests(seeded)
  assert.ok(request)
  const truth = await ask(real.port, request)
  assert.equal(truth.status, scenario.expect, truth.pieces.join(''))
  await bare.replay(truth)
  assert.deepEqual(withoutDate(await ask(bare.port, request)), withoutDate(truth), 'bare: not the same bytes')

  const other = await ask(express.port, request)
  assert.equal(other.status, truth.status, other.pieces.join(''))
  assert.deepEqual(content(other, request.method), content(truth, request.method), 'Express: not the same answer')
}

/** Ignores the order of the headers: Node puts its own last. */
function withoutDate({ headers, ...answer }: KeptAnswer) {
  const lines: string[] = []
  for (let i = 0; i < headers.length; i += 2)
    if (headers[i]?.toLowerCase() !== 'date') lines.push(`${headers[i]?.toLowerCase()}: ${headers[i + 1]}`)
  return { ...answer, headers: lines.sort() }
}

/** Ignores id and time, because each POST creates a new record. */
function content(answer: KeptAnswer, method: string) {
  const value = JSON.parse(answer.pieces.join(''))
  return method === 'POST' ? { ...value, id: '', timestamp: '' } : value
}
