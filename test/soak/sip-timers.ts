// RFC 3261 timers divided by ten: transactions end after three seconds, so a measurement need not wait half a minute.
export const timers = { t1: 50, t2: 400, t4: 400 }
