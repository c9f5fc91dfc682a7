// One or two nodes behind Kamailio with one PostgreSQL, with or without Redis, and a trunk whose calls an agent
// answers.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { agentOnService, answeredCall, NUMBER, type PhoneService, startPhoneService } from '../../test/phone-service.ts'
import { openByHand } from '../../test/phones/by-hand.ts'
import { startBalancer } from '../../test/phones/kamailio.ts'
import { ask } from '../../test/service.ts'
import { cpuSeconds } from '../api/proc.ts'

/** The carrier's address differs from the proxy's: traffic from a node's address counts as that node's. */
export const OUTSIDE = '127.0.0.21'

export type Nodes = Awaited<ReturnType<typeof startNodes>>

export type Servers = { postgresUrl: string; redisUrl: string | null }

export async function startNodes(count: 1 | 2, { postgresUrl, redisUrl }: Servers) {
  const endings: (() => unknown)[] = []
  const env = {
    DATABASE_URL: await newDatabase(postgresUrl),
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    MASTER_KEY: randomBytes(24).toString('hex'),
    SIP_PROXIES: '127.0.0.1',
    MAX_CALLS: '200',
    MAX_CALLS_PER_USER: '400',
  }
  const first = await startPhoneService({ ...env, NODE_NAME: 'one' })
  const nodes: PhoneService[] = [first]
  if (count === 2) nodes.push(await startPhoneService({ ...env, NODE_NAME: 'two' }, { key: first.key }))
  const carrier = await openByHand({ after: (stop: () => unknown) => void endings.push(stop) } as never, OUTSIDE)
  const { agentId } = await agentOnService(first, { host: OUTSIDE, port: carrier.port }, NUMBER)
  const settings = { turn: { silenceHangupMs: 600_000, idleReminderMs: 0 } }
  await ask(`${first.url}/api/agents/${agentId}`, first.key, 'PATCH', { settings })
  for (const node of nodes) await (await answeredCall(carrier, node.sipPort)).bye()
  const balancer = await startBalancer({ nodes: nodes.map(({ sipPort }) => sipPort), floodRequests: 100_000 })
  endings.push(balancer.stop)
  return {
    nodes,
    carrier,
    databaseUrl: env.DATABASE_URL,
    proxyPid: balancer.program.process.pid as number,
    to: `127.0.0.1:${balancer.port}`,
    cpuSeconds: () => nodes.reduce((sum, { process: { pid } }) => sum + cpuSeconds(pid as number), 0),
    async stop(): Promise<void> {
      for (const node of nodes) await node.kill('SIGKILL')
      for (const ending of endings) await ending()
    },
  }
}

async function newDatabase(server: string): Promise<string> {
  const name = `bench_${randomBytes(4).toString('hex')}`
  const client = new pg.Client(server)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}
