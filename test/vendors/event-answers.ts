// Server-sent-event responses with switchable faults, shared by the LLM protocol servers.
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Fault } from './server.ts'

export type ModelAnswer = { say?: string; calls?: { name: string; args: unknown }[] }

export const wordsOf = (text: string): string[] => text.match(/\s*\S+\s*$|\s*\S+/g) ?? []
export const piecesOfFive = (text: string): string[] => text.match(/.{1,5}/gsu) ?? []

/** `events`: each as sent on the wire, with its two line ends; `prelude` of them come before the first word. */
export async function sendEvents(
  response: ServerResponse,
  events: readonly string[],
  fault: Fault | null,
  prelude: number,
): Promise<void> {
  if (fault === 'silent') return
  if (fault === 'reset-at-once') return void response.destroy()
  if (fault === 'wrong') {
    response.writeHead(200, { 'content-type': 'text/html' })
    return void response.end('<html>A page of some proxy</html>')
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  if (fault === 'mislabelled') return void response.end('data: {"what comes here is no JSON\n\n')
  for (const [i, event] of events.entries()) {
    if (response.destroyed) return
    const bytes = Buffer.from(event)
    if (fault !== 'drip') response.write(bytes)
    else for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7)) // splits characters and lines
    if (fault === 'drip') await delay(35)
    if (fault === 'stall' && i === prelude) return
    if (fault === 'reset' && i >= prelude + (events.length - prelude) / 2) {
      await delay(20) // lets the data leave this process
      return void response.destroy()
    }
  }
  response.end()
}
