// The reference server of the Model Context Protocol, as a separate process.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { freePort } from './servers.ts'
import { until } from './until.ts'

const program = join(import.meta.dirname, '../node_modules/@modelcontextprotocol/server-everything/dist/index.js')

export async function startMcpServer(t: TestContext, transport: 'streamableHttp' | 'sse', at?: number) {
  const port = at ?? (await freePort())
  const child = spawn(process.execPath, [program, transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let told = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
  }
  t.after(stop)
  await until('the MCP server listens', async () => told.includes(`port ${port}`), 20_000)
  return { port, url: `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`, stop }
}
