// Words that show whether a sentence can end here, in three languages. Lower case with accents: "e" continues, "é" may be an answer.

export type ClauseWords = {
  /** Conjunctions and prepositions: never the last word. */
  readonly open: ReadonlySet<string>
  /** Articles, possessives: the last word only if they stand alone. */
  readonly bound: ReadonlySet<string>
  readonly copulas: ReadonlySet<string>
  /** After these words a copula may end a sentence ("acho que é"), and after these a verb ("não quero"). */
  readonly before: ReadonlySet<string>
  readonly negations: ReadonlySet<string>
  /** "o que eu quero", "all I need": the object stands before the verb. */
  readonly relatives: ReadonlySet<string>
  /** "Sim, eu quero.": after an answer a verb may end the sentence. */
  readonly answers: ReadonlySet<string>
  /** Verbs that need another one, or an object. Alone they may answer a question: "Quero." */
  readonly verbs: ReadonlySet<string>
  /** Those of these verbs that do not answer a question: "Não, eu queria." */
  readonly wishes: ReadonlySet<string>
  /** Phrases that need a continuation. */
  readonly phrases: ReadonlySet<string>
  /** Phrases that can end a sentence although their last word is in a list above. */
  readonly endings: ReadonlySet<string>
  /** "Pode marcar": an infinitive after these words is an instruction. */
  readonly permits: ReadonlySet<string>
  /** Words that are usually followed by more. */
  readonly doubtful: ReadonlySet<string>
  /** Fillers, and requests for time. */
  readonly hesitations: ReadonlySet<string>
  /** Fillers if nothing else stands between the commas. */
  readonly starters: ReadonlySet<string>
  /** Begin a clause that needs a main clause. */
  readonly subordinators: ReadonlySet<string>
  /** Question words: at the end only with a question mark. */
  readonly interrogatives: ReadonlySet<string>
  /** Begin a question to the agent, which has more than one other word. */
  readonly addressees: ReadonlySet<string>
  /** End a request whose object follows, also with a question mark: "Você pode me dizer?" */
  readonly requests: ReadonlySet<string>
  /** May precede either. */
  readonly leading: ReadonlySet<string>
  /** Begin a fragment of a longer sentence: "para sexta", "uma consulta". */
  readonly fragments: ReadonlySet<string>
  /** Said before the matter itself. */
  readonly greetings: ReadonlySet<string>
  /** Can end any sentence. */
  readonly closers: ReadonlySet<string>
  /** Join the last item of a list. */
  readonly joiners: ReadonlySet<string>
}

const words = (...lines: string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(', ')))

const sounds = 'ah, ahn, ahm, hã, hum, hmm, hm, eh, ehm, uh, uhm, er, erm, mm, mmm, ãh, ã, éé, eee'

const pt: ClauseWords = {
  open: words(
    'e, ou, mas, que, de, do, da, dos, das, com, pra, pro, pras, pros, por, pelo, pela, pelos, pelas, porque, se, quando, em, no, na, nos, nas, num, numa, ao, aos, à, às, sobre, entre, desde, sem, nem, porém, embora, enquanto, onde, cujo, cuja, pois, caso, contra, após',
  ),
  bound: words(
    'o, a, os, as, um, uma, uns, umas, para, até, meu, minha, meus, minhas, seu, sua, seus, suas, nosso, nossa, teu, tua, cada, qualquer, algum, alguma, como, eu, me, lhe, qual, quanto, quem, tão, quase, doutor, doutora, dona',
  ),
  copulas: words('é, são, está, tá, era, foi, fica, ficou, seria, sou, estou, tô, há'),
  before: words('não, sim, que, também, já, claro, isso, nunca, assim, lá, aqui, aí, ainda, só, mais, sei'),
  negations: words('não, sim, já, também, nunca, ainda, lá, aqui, nem'),
  relatives: words('o que, tudo que, isso que, aquilo que, coisa que, só que, tudo quanto, como'),
  answers: words('sim, não'),
  verbs: words(
    'quero, queria, quer, preciso, precisava, precisaria, gostaria, gostava, posso, poderia, podia, pode, tenho, tinha, teria, tem, vou, vai, vamos, ia, estava, tava, deveria, devo, consigo, prefiro, acho, pretendo, desejo, desejava, procuro, moro, comprei, recebi, tentei, fiz, peguei, mandei, fui, nasci',
  ),
  wishes: words('queria, gostaria, gostava, precisava, precisaria, estava, tava, tinha, desejava'),
  phrases: words(
    'marcar, saber, fazer, dizer, perguntar, verificar, solicitar, ter, ser, estar, dar, colocar, conseguir, informar, ver, tirar, pedir, dizendo, me chamo, chamo, usar, levar, deixar, mandar, pegar, encontrar, queria falar, quero falar, preciso falar',
    'duas coisas, duas perguntas, uma coisa, uma pergunta, o seguinte, por exemplo, ou seja, quer dizer, por causa, no dia, do dia, para o dia, pro dia, na rua, na avenida, é o seguinte, a partir, em vez, apesar',
    'meu nome, meu cpf, meu telefone, meu e-mail, meu email, meu celular, meu problema, o problema, o número, meu número, o código, o endereço, meu endereço',
  ),
  endings: words(
    'pode ser, só um, só uma, mais um, mais uma, qualquer um, cada um, é meu, é minha, é a minha, é o meu, sou eu, por quê, o quê, o que quero, o que preciso, sei como, sei qual, sei quem, sei quando, sei onde',
  ),
  permits: words('pode, podem, podemos, vamos, posso, não'),
  doubtful: words(
    'agendar, remarcar, cancelar, pagar, confirmar, comprar, consultar, trocar, mudar, reclamar, alterar, atualizar, disse, falou, esse, essa, este, esta, aquele, aquela, perdi, esqueci, vi, liguei, estou ligando, tô ligando, uma dúvida, falar, passar, resolver',
  ),
  hesitations: words(
    sounds,
    'deixa eu ver, deixa ver, deixa eu pensar, deixa eu pegar, deixa eu pegar aqui, deixa eu ver aqui, deixa eu olhar, deixa eu procurar, deixa eu achar, deixa eu lembrar, vou pegar, vou pegar aqui, vou ver, vou ver aqui, um momento, um momentinho, um instante, um instantinho, um minuto, um minutinho, um segundo, um segundinho, só um pouco, peraí, pera aí, pera, espera aí, espera, espere, calma, calma aí, como é que é, como é que se diz, como se diz, como chama, como é que chama, como eu posso dizer, como é que eu posso dizer, como posso dizer, como é que eu digo, tipo, tipo assim, sei lá, vamos ver',
  ),
  starters: words(
    'é, é é, então, bom, bem, olha, olhe, olha só, assim, veja, veja bem, na verdade, é que, sabe, mas é que, então é que, a questão é, só que, aí, daí, primeiro, ah, oh, sim é, hum é, então é, bom é',
  ),
  interrogatives: words(
    'que horas, a que horas, que dia, quanto, quanto é, quanto custa, quanto fica, qual, quais, qual é, como, como é, como faço, onde, onde fica, quando, quem, por que',
  ),
  addressees: words('vocês, você, o senhor, a senhora, dá, dá para, dá pra, será, tem, tem como, vocês têm, vocês tem'),
  requests: words(
    'me dizer, me informar, me passar, me dar, me mandar, me falar, me explicar, saber se, ver se, saber qual',
  ),
  leading: words('e, mas, então, é, ah, aí, agora, bom'),
  subordinators: words('se, quando, caso, enquanto, embora, como, assim que, desde que, já que'),
  fragments: words('para, pra, pro, com, de, do, da, em, no, na, por, pelo, pela, às, até, sobre, um, uma, uns, umas'),
  greetings: words(
    'oi, olá, alô, bom dia, boa tarde, boa noite, oi bom dia, oi boa tarde, oi boa noite, olá bom dia, olá boa tarde, olá boa noite, alô bom dia, oi tudo bem, olá tudo bem, opa, e aí, boa',
  ),
  closers: words(
    'por favor, por gentileza, obrigado, obrigada, né, viu, tá, tá bom, sim, não, mesmo, senhor, senhora, moça, moço, só, só isso, tchau',
  ),
  joiners: words('e, ou, mais, nem'),
}

const en: ClauseWords = {
  open: words(
    "and, or, but, because, 'cause, of, to, with, if, than, into, from, for, at, by, on, in, about, between, without, since, until, although, whether, unless, onto, as, per",
  ),
  bound: words(
    "the, a, an, my, your, our, his, their, its, i'm, it's, that's, there's, we're, they're, he's, she's, i, we, he, she, they, some, any, every, very, when, who, whose, where, maybe, like, so",
  ),
  copulas: words('is, are, was, were, am'),
  before: words('yes, no, yeah, it, what, who, where, how, way, why, know, guess, think, love, more, or, one'),
  negations: words("yes, no, yeah, already, also, never, as, i'd love"),
  relatives: words('what, all, everything, thing that, where, as, than'),
  answers: words('yes, no, yeah, yep, nope, sure'),
  verbs: words(
    "want, wanted, need, needed, would, could, should, might, must, think, believe, gonna, wanna, trying, looking, calling, wondering, i'd, i'll, i've, let's, prefer, have, had, can, will, bought, received, live, got",
  ),
  wishes: words('wanted, needed, wanna, gonna, trying, looking, calling, wondering, need, want'),
  phrases: words(
    "saying, would like, i'd like, we'd like, to know, to ask, to make, to get, to check, to have, to be, to say, to see, to speak, to find, to do, to give, to send, to put, to take, to set, to use, two things, two questions, one thing, a question, the thing is, for example, such as, i mean, you know, in order, instead, due, because of, think that, said that, so that, is that, know if, see if, my name, my number, my email, my phone number, the number, my address, the address, the problem, on the, in the, next, last, wondering if",
  ),
  endings: words(
    "think so, guess so, hope so, believe so, love to, happy to, glad to, used to, supposed to, have to, come in, go on, going on, log in, log on, sign in, turn on, move on, check in, checked in, moved in, drop in, it on, it in, them on, is for, came from, come from, i'm from, am from",
  ),
  permits: words('please'),
  doubtful: words(
    'to book, to schedule, to cancel, to buy, to talk, to change, to reschedule, to pay, to confirm, over, this, these, those',
  ),
  hesitations: words(
    sounds,
    "um, umm, let me see, let me check, let me think, let me get, let me get it, let me find it, let me look, let me grab it, hold on, hang on, wait, one moment, one second, one sec, one minute, just a moment, just a second, just a sec, just a minute, give me a second, give me a moment, give me a minute, what's it called, how do you say, how do i put this, sort of, kind of, you see, bear with me, hmm let me see",
  ),
  starters: words(
    'well, so, look, listen, actually, like, okay so, ok so, right so, basically, and then, the thing is, first, first of all, now, oh, yeah so, well actually, you know, i mean, anyway, see',
  ),
  interrogatives: words(
    'what time, what day, how much, how many, how long, what, which, where, when, who, how, why, what is, how do i, where is, how much is',
  ),
  addressees: words(
    'do you, are you, can you, could you, would you, can i, could i, may i, do i, is there, are there, is the, does the',
  ),
  requests: words('give me, tell me, send me, get me, show me, let me know, tell me if, know if, check if'),
  leading: words('and, but, so, then, well, oh, now, okay'),
  subordinators: words('if, when, because, while, although, since, as, unless, whenever'),
  fragments: words('for, with, of, at, on, in, from, to, about, by, a, an, some'),
  greetings: words(
    'hi, hello, hey, good morning, good afternoon, good evening, hi good morning, hello good morning, hi there, hello there, hi good afternoon, hey there, hello good afternoon',
  ),
  closers: words(
    "please, thanks, thank you, right, sir, ma'am, too, though, that's it, that's all, bye, yes, no, then",
  ),
  joiners: words('and, or, plus'),
}

const es: ClauseWords = {
  open: words(
    'y, e, o, u, pero, porque, que, de, del, al, con, en, por, sin, sobre, entre, desde, hasta, cuando, a, ni, aunque, mientras, donde, contra, según, pues, sino, cuyo, cuya',
  ),
  bound: words(
    'el, la, los, las, un, una, unos, unas, para, si, mi, mis, su, sus, tu, tus, nuestro, nuestra, se, me, te, le, como, muy, cada, algún, alguna, cualquier, yo, lo, doctor, doctora, casi',
  ),
  copulas: words('es, son, está, era, fue, soy, estoy, hay'),
  before: words('no, sí, que, también, ya, claro, eso, nunca, así, ahí, aquí, solo, más, sé, cada, cómo, todavía, qué'),
  negations: words('no, sí, ya, también, nunca, todavía, ahí, aquí, ni'),
  relatives: words('lo que, todo que, eso que, cosa que, como'),
  answers: words('sí, si, no, claro'),
  verbs: words(
    'quiero, quería, quisiera, quiere, necesito, necesitaba, necesitaría, puedo, podría, puede, tengo, tenía, tendría, voy, va, vamos, iba, debo, debería, gustaría, deseo, estaba, llamaba, llamo, busco, prefiero, creo, pienso, vivo, compré, recibí, intenté, hice, pedí, nací',
  ),
  wishes: words('quería, quisiera, necesitaba, gustaría, estaba, tenía, llamaba'),
  phrases: words(
    'saber, hacer, preguntar, pedir, tener, ser, estar, decir, ver, dar, poner, sacar, solicitar, verificar, consultar, poder, hablar, enviar, buscar, usar, marcar, saber si, ver si',
    'dos cosas, dos preguntas, una cosa, una pregunta, una duda, lo siguiente, por ejemplo, o sea, es decir, por culpa, a causa, el día, en la calle, la calle, en vez, me llamo, a partir',
    'mi nombre, mi número, mi teléfono, mi correo, mi celular, mi problema, el problema, el número, la dirección, mi dirección, el código',
  ),
  endings: words(
    'puede ser, lo que necesito, lo que quiero, lo que tengo, lo que puedo, sé cómo, sé cuándo, soy yo, para mí, cada uno',
  ),
  permits: words('puede, pueden, puedo, no'),
  doubtful: words(
    'reservar, agendar, cancelar, cambiar, comprar, pagar, confirmar, programar, modificar, dice, dijo, diciendo, este, esta, ese, esa, estoy llamando, perdí, olvidé',
  ),
  hesitations: words(
    sounds,
    'em, mmm, déjame ver, déjeme ver, déjame pensar, déjeme pensar, déjame buscar, déjeme buscar, déjeme buscarlo, a ver, vamos a ver, un momento, un momentito, un segundo, un segundito, un minuto, un minutito, espere, espera, espérame, espéreme, cómo se dice, cómo le explico, cómo era, qué sé yo, cómo le digo, o sea, tipo',
  ),
  starters: words(
    'pues, bueno, mira, mire, este, entonces, es que, pues es que, bueno pues, oiga, oye, verá, la verdad, la verdad es que, primero, ah, eh, en realidad, sí este, pues mire, a ver',
  ),
  interrogatives: words(
    'qué hora, a qué hora, qué día, cuánto, cuánto es, cuánto cuesta, cuál, cuáles, cuál es, cómo, cómo es, dónde, dónde está, cuándo, quién, por qué',
  ),
  addressees: words('ustedes, usted, se puede, hay, tienen, aceptan, ustedes tienen'),
  requests: words(
    'me puede, me podría, me da, me dice, me puede decir, me puede dar, puede decirme, puede darme, saber si, ver si',
  ),
  leading: words('y, pero, entonces, ah, ahora, bueno'),
  subordinators: words('si, cuando, aunque, mientras, como, porque, ya que'),
  fragments: words('para, con, de, del, en, por, a, al, hasta, sobre, un, una, unos, unas'),
  greetings: words(
    'hola, buenos días, buenas tardes, buenas noches, buenas, hola buenos días, hola buenas tardes, hola buenas noches, hola buenas, buen día, aló, hola qué tal, hola buen día',
  ),
  closers: words('por favor, gracias, sí, no, verdad, señor, señora, nada más, solo eso, eso, adiós, también, ya'),
  joiners: words('y, o, más, ni, e'),
}

/** Words that answer in one language and go on in another: not used for a caller whose language is unknown. */
const contradictory: Partial<Record<keyof ClauseWords, readonly string[]>> = {
  open: ['no', 'o', 'a', 'as', 'u', 'on', 'in'],
  bound: ['no'],
  hesitations: ['em', 'um'],
}

function inAllLanguages(name: keyof ClauseWords): ReadonlySet<string> {
  const without = contradictory[name] ?? []
  return new Set([pt, en, es].flatMap((list) => [...list[name]]).filter((word) => !without.includes(word)))
}

/** For a caller whose language is unknown. */
const any = Object.fromEntries(
  (Object.keys(pt) as (keyof ClauseWords)[]).map((name) => [name, inAllLanguages(name)]),
) as ClauseWords

const byLanguage: Readonly<Record<string, ClauseWords>> = { pt, en, es }

export const clauseWords = (language: string | undefined): ClauseWords =>
  byLanguage[language?.slice(0, 2).toLowerCase() ?? ''] ?? any
