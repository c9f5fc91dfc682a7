// The response times of a call in progress.
import type { Turn } from '../../../../client/paths.ts'
import { TurnStack } from '../../components/turn-stack.tsx'
import { Waterfall } from '../../components/waterfall.tsx'
import { totalMs } from '../../components/waterfall-geometry.ts'

/** Renders nothing until a response was measured. In a panel, shows the stages of the last response. */
export function CallTimings({ turns, isCompact }: { turns: readonly Turn[]; isCompact: boolean }) {
  const measured = turns.filter((turn) => totalMs(turn.latency) !== null)
  const last = measured.at(-1)
  if (!last) return null
  return isCompact ? <TurnStack turn={last} number={measured.length} /> : <Waterfall turns={turns} isLastOpen />
}
