// Live updates of a call to its web client: transcript lines, turns and tool calls as they happen.
import type { CallUpdate } from '../../phone/ports.ts'
import type { SpeechInProgress } from '../../voice/agent-turn-types.ts'
import type { Tool } from '../../voice/ports.ts'
import type { SessionEvent } from '../../voice/session.ts'
import type { Turn } from '../calls/schema.ts'
import type { WallTime } from './turn-metrics.ts'

/** `turns` is the metrics collector; it gets each event first. */
export function callUpdates(onUpdate: (update: CallUpdate) => void, wallTime: WallTime, turns: readonly Turn[]) {
  return {
    onEvent(event: SessionEvent): void {
      if (event.type === 'tool')
        onUpdate({ type: 'tool', name: event.call.name, status: event.failed ? 'failed' : 'done' })
      if (event.type !== 'utterance') return
      onUpdate({ type: 'said', who: event.who, text: event.text, at: wallTime(event.timing) })
      const turn = turns.at(-1)
      if (event.who === 'agent' && turn) onUpdate({ type: 'turn', turn: structuredClone(turn) })
    },
    onSpeaking: (speech: SpeechInProgress) => onUpdate({ type: 'speaking', ...speech }),
    tool: (tool: Tool): Tool => ({
      ...tool,
      run(...invocation) {
        onUpdate({ type: 'tool', name: tool.name, status: 'running' })
        return tool.run(...invocation)
      },
    }),
  }
}
