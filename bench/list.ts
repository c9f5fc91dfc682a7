// All benchmarks in the order of `npm run bench`: what each measures, its arguments there, and its duration on two idle
// cores.

export type Entry = {
  name: string
  about: string
  /** Arguments and duration within a full `npm run bench`; run on its own, a benchmark may take longer by default. */
  args: readonly string[]
  minutes: number
  shortArgs: readonly string[]
}

export const benchmarks: readonly Entry[] = [
  {
    name: 'voice',
    about: 'reply latency above the unavoidable part at 1 to 400 calls, beside @livekit/agents',
    args: [],
    minutes: 9.5,
    shortArgs: ['--short'],
  },
  {
    name: 'busy',
    about: '300 calls while the API serves 500 requests a second and ten recordings are downloaded',
    args: [],
    minutes: 2.5,
    shortArgs: ['--short'],
  },
  {
    name: 'api',
    about: 'requests a second, latency, start and memory, beside bare node:http and Express',
    args: ['--seconds', '1.5', '--rounds', '3'],
    minutes: 5.5,
    shortArgs: ['--short'],
  },
  {
    name: 'speech',
    about: 'synthesis, recognition and VAD: speed, first sound on busy cores, underruns, memory, beside espeak-ng',
    args: ['--seconds', '10'],
    minutes: 10,
    shortArgs: ['--short'],
  },
  {
    name: 'recognition',
    about: 'words recognized by codec, kind and line, and with a second opinion of a larger model',
    args: ['--prompt', '--words', '--nth', '2'],
    minutes: 7,
    shortArgs: ['--short', '--codecs', 'PCMA', '--only', 'word', '--nth', '10'],
  },
  {
    name: 'phone',
    about: "call set-up rate and concurrent calls, beside npm's sip and sipp's own server",
    args: ['--seconds', '4', '--rounds', '2', '--calls', '100,300'],
    minutes: 2.8,
    shortArgs: ['--short'],
  },
  {
    name: 'cluster',
    about: 'a live command through another node, and calls through Kamailio to one and two nodes',
    args: [],
    minutes: 4,
    shortArgs: ['--short'],
  },
  {
    name: 'talk',
    about: 'difficult callers: cut-offs, false pauses, barge-in, gaps, words and digits heard',
    args: ['--calls', '12'],
    minutes: 3.5,
    shortArgs: ['--calls', '2'],
  },
  {
    name: 'overlaps',
    about: 'interruptions and backchannels by their sound alone: when the agent is silent, and goes on',
    args: [],
    minutes: 3,
    shortArgs: ['--phrases', '2'],
  },
  {
    name: 'end-of-turn',
    about: 'false cut-offs and waits over our own pauses, for the rules and for silence alone',
    args: ['--turns', '40'],
    minutes: 5,
    shortArgs: ['--turns', '3'],
  },
  {
    name: 'web-call',
    about: 'browser calls: cost, and audio during stalls',
    args: ['--seconds', '4', '--rounds', '2'],
    minutes: 1.8,
    shortArgs: ['--short'],
  },
  {
    name: 'campaigns',
    about: 'import of 100,000 rows, rule decisions, claims, attempts beside the API',
    args: ['--seconds', '8', '--repeats', '3', '--db', 'sqlite', '--only', 'import,rules,claims,calls'],
    minutes: 2.2,
    shortArgs: ['--short'],
  },
  {
    name: 'outage',
    about: 'calls when a vendor dies: silence, calls lost, requests to the dead vendor',
    args: ['--only', 'tts', '--calls', '50'],
    minutes: 1.8,
    shortArgs: ['--short'],
  },
  {
    name: 'hostile',
    about: 'attacks by outsiders and members: longest wait of others, memory growth',
    args: ['--rounds', '1'],
    minutes: 1.2,
    shortArgs: ['--short'],
  },
  {
    name: 'answer-hook',
    about: 'time to the answer of a call with a hook that is quick, slow or dead',
    args: ['--rounds', '2'],
    minutes: 0.6,
    shortArgs: ['--short'],
  },
  {
    name: 'providers',
    about: 'overhead of a chain of providers when all is well',
    args: ['--blocks', '20'],
    minutes: 0.4,
    shortArgs: ['--short'],
  },
  {
    name: 'tools',
    about: "cost of a tool's request over a bare fetch",
    args: [],
    minutes: 0.4,
    shortArgs: ['--short'],
  },
  {
    name: 'web',
    about: 'dashboard: first load, time to interactive, a table of 50,000 calls',
    args: ['--times', '3'],
    minutes: 1.5,
    shortArgs: ['--short'],
  },
]
