// Executes the commands of the turn machine.

import type { TurnMarks } from '../agent-turn-types.ts'
import type { agentTurns } from '../agent-turns.ts'
import type { SessionEndReason, Tool } from '../ports.ts'
import type { namedTimers } from '../timers.ts'
import type { Transcriber } from '../transcriber.ts'
import type { PredictionRequest } from './prediction.ts'
import type { PreemptiveLlm } from './preemptive-generation.ts'
import type { TimerName, TurnCommand } from './state.ts'

type CommandParts = {
  agent: ReturnType<typeof agentTurns>
  recognition: Transcriber
  predictor: { predict(request: PredictionRequest): Promise<void> }
  llm: PreemptiveLlm
  tools: readonly Tool[]
  timers: ReturnType<typeof namedTimers<TimerName>>
  language: string
  onHangup: (reason: SessionEndReason) => void
}

/** -12 dB. */
const DUCKED_GAIN = 0.25

/** Asks for the `marks` only when a command starts a turn. */
export function commandRunner(parts: CommandParts): (command: TurnCommand, marks: () => TurnMarks) => void {
  const { agent, recognition, predictor, llm, tools, timers, language, onHangup } = parts
  return (command, marks) => {
    switch (command.do) {
      case 'recognize':
        return void recognition.recognize(command.recognition, command.isUrgent)
      case 'cancel-recognition':
        return recognition.cancel()
      case 'stream-speech':
        return recognition.stream(command.isUrgent)
      case 'release-audio':
        recognition.release()
        return agent.commitCaller()
      case 'take-back':
        return agent.takeBack(command.turn)
      case 'predict-end-of-turn':
        return void predictor.predict(command)
      case 'generate-early':
        return llm.generateEarly(agent.promptFor(command.to), tools, { language })
      case 'cancel-early':
        return llm.cancelEarly()
      case 'reply':
      case 'tell-late-result':
      case 'say-for-operator':
      case 'open':
      case 'leave-message':
      case 'say':
        return agent.start(command, marks())
      case 'play-filler':
        return agent.playFiller(command.turn, command.times)
      case 'stop':
        return agent.stop(command.turn, command.isFinal)
      case 'resume':
        return agent.resume(command.turn)
      case 'duck':
        return agent.volume(DUCKED_GAIN)
      case 'unduck':
        return agent.volume(1)
      case 'arm':
        return timers.arm(command.timer, command.ms)
      case 'disarm':
        return timers.disarm(command.timer)
      case 'hang-up':
        return onHangup(command.reason)
    }
  }
}
