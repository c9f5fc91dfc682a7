// What happens in a call, told as it happens to who is in it with a screen: lines of the transcript, turns, tools.
import type { Turn } from '../../api/calls/schema.ts'
import type { CallUpdate } from '../../phone/ports.ts'
import type { Tool } from '../../voice/ports.ts'
import type { SessionEvent } from '../../voice/session.ts'
import type { WallTime } from './turn-metrics.ts'

/** `turns` are those of the record that hears each event before. */
export function callNews(tell: (news: CallUpdate) => void, wall: WallTime, turns: readonly Turn[]) {
  return {
    event(event: SessionEvent): void {
      if (event.type === 'tool') tell({ type: 'tool', name: event.call.name, status: event.failed ? 'failed' : 'done' })
      if (event.type !== 'said') return
      tell({ type: 'said', who: event.who, text: event.text, at: wall(event.when) })
      const turn = turns.at(-1)
      if (event.who === 'agent' && turn) tell({ type: 'turn', turn: structuredClone(turn) })
    },
    tool: (tool: Tool): Tool => ({
      ...tool,
      run(...asked) {
        tell({ type: 'tool', name: tool.name, status: 'running' })
        return tool.run(...asked)
      },
    }),
  }
}
