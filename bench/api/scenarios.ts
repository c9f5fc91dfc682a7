// The requests sent to each server.
import type { Request } from './load.ts'
import type { Seeded } from './seed.ts'

export type Scenario = {
  name: string
  title: string
  expect: number
  connections: number
  /** Express stores the event of the message too, as Ramal does. */
  expressWritesEvents?: boolean
  requests(seeded: Seeded): Request[]
}

const message = JSON.stringify({
  type: 'user',
  content: 'I would like to come on Thursday, in the afternoon if you can.',
})

const postMessage = {
  expect: 201,
  connections: 32,
  requests: ({ one }: Seeded): Request[] =>
    one.keys.map((key, i) => ({
      method: 'POST',
      path: `/api/conversations/message/send/${one.conversationIds[i]}`,
      key,
      body: message,
    })),
}

export const scenarios: Scenario[] = [
  {
    name: 'get-agent',
    title: 'GET one agent',
    expect: 200,
    connections: 32,
    requests: ({ one }) => one.keys.map((key, i) => ({ method: 'GET', path: `/api/agents/${one.agentIds[i]}`, key })),
  },
  { name: 'post-message', title: 'POST a message (Express without its event)', ...postMessage },
  {
    name: 'post-message-event',
    title: 'POST a message (Express with its event)',
    expressWritesEvents: true,
    ...postMessage,
  },
  {
    name: 'list-100',
    title: 'List 100 conversations',
    expect: 200,
    connections: 32,
    requests: ({ hundred }) => hundred.keys.map((key) => ({ method: 'GET', path: '/api/conversations', key })),
  },
  {
    name: 'list-10000',
    title: 'List 10,000 conversations',
    expect: 200,
    connections: 4,
    requests: ({ tenThousand }) => tenThousand.keys.map((key) => ({ method: 'GET', path: '/api/conversations', key })),
  },
]
