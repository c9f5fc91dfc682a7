// Time that passes only when a test says so: the clock of rehearsals, passed by hand.
import { VirtualClock } from '../../src/simulation/virtual-clock.ts'

export class ManualClock extends VirtualClock {}
