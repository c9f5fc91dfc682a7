// RFC 3261's times divided by ten: what a transaction remembers is forgotten after three seconds, so that a look need not wait half a minute.
export const timers = { t1: 50, t2: 400, t4: 400 }
