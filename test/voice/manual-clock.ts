// A clock that advances only when a test says so: the rehearsals' clock, advanced by hand.
import { VirtualClock } from '../../src/simulation/virtual-clock.ts'

export class ManualClock extends VirtualClock {}
