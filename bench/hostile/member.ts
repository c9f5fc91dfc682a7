// What a malicious member has: a server of their own, and tools that call it.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Platform } from './platform.ts'

export type Attack = { name: string; isControl?: boolean; run(platform: Platform): Promise<string> }

/** The member's own server, which tools can reach. */
export async function withServer<T>(
  answer: Parameters<typeof createServer>[1],
  use: (url: string) => Promise<T>,
): Promise<T> {
  const server: Server = createServer(answer as never)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

export async function testTool(platform: Platform, tool: object, asked: object = {}): Promise<string> {
  const made = await platform.send('POST', '/api/tools', { name: `tool ${Math.random()}`, ...tool })
  if (made.status !== 201) return `refused with ${made.status}: ${JSON.parse(made.text).message}`
  const { id } = JSON.parse(made.text)
  const tested = await platform.send('POST', `/api/tools/${id}/test`, asked)
  return `tested: ${tested.status} ${JSON.parse(tested.text).message ?? ''}`
}
