// Patterns of opt-outs that do not say "do not call": consent denied or withdrawn, requests to block numbers or erase
// data, exasperation, threats. And of people who have died or whose number has a new owner. Matched like the patterns
// of wish-patterns.ts.

type RefusalPatterns = {
  refusals: readonly RegExp[]
  /** Refuses only a time, a channel or a recording; or the phone was stolen. */
  notRefusal: RegExp
  gone: readonly RegExp[]
  /** Captures names. */
  goneName: RegExp
  /** The right person is speaking. */
  isMe: RegExp
}

const patternsOf = (...sources: string[]) => sources.map((source) => new RegExp(source))
const upTo = (most: number, words: string) => `(?: (?:${words})){0,${most}}`
const someWords = (most: number) => upTo(most, '\\w+')

function portuguese(): RefusalPatterns {
  const permission = '(?:autorizacao|permissao|consentimento)'
  const refuse = `(?:ninguem${upTo(2, 'aqui|te|lhes?')} autorizou|nao${upTo(2, 'eu|mais|te|lhes?|nunca')} (?:autoriz(?:o|ei|amos)|permit(?:o|i|imos)|consint[oa]|consenti|admito|aceit(?:o|amos)|(?<= gente nao )(?:aceita|autoriza|permite)|concordo|d(?:ou|ei)${upTo(2, 'a|o|meu|minha|nenhuma?')} ${permission}))`
  const want = '(?:quero|queria|desejo|gostaria|pretendo|aceito|preciso)'
  const calls = '(?:ligac(?:ao|oes)|chamadas?|telefonemas?|contatos?)'
  const toCall =
    '(?:lig(?:ar|arem|uem|ue|ando)|telefon(?:ar|arem|em|ando)|conta(?:c?tar|c?tarem|tem)|procur(?:ar|arem|em)|incomod(?:ar|arem|em)|perturb(?:ar|arem|em)|entr(?:ar|arem|em|e|ando) em contato|us(?:ar|arem|em|ando) (?:o )?meu (?:numero|telefone|contato))'
  const between =
    'que|voces?|a|as|o|me|nos|mais|nenhuma?|ess[ea]s?|est[ea]s?|dess[ea]s?|d[ae]s?|tipo|com|pra|para|receber|fi(?:car|carem|quem)|continu(?:ar|arem|em)|outr[ao]s?|ninguem|qualquer|suas?|empresa|eu|em|tant[ao]s?|tod[ao]s?|santo|dia|hora'
  const remove =
    '(?:tir(?:a|e|em|ar|arem)|remov(?:a|e|am|er|erem)|exclu(?:a|i|am|ir|irem)|apag(?:a|ue|uem|ar|arem)|retir(?:a|e|em|ar|arem)|risc(?:a|ar)|risquem?|delet(?:a|e|em|ar|arem)|elimin(?:a|e|em|ar|arem))'
  const mine = '(?:nome|cadastro|dados|contato|numero|telefone|celular|registro|informacoes)'
  const end =
    '(?:eu|dai|disso|ai|todos?|pessoais|agora|imediatamente|ja|logo|por favor|pelo amor de deus|moc[ao]|tambem|viu|ta|nao)'
  const list =
    '(?:d[aeo]s?|dess[ae]|dest[ae]) (?:\\w+ ){0,2}(?:listas?|base|mailing|sistema|contatos|agenda|banco de dados|voces)'
  const line = '(?:numero|telefone|celular|contato|linha|chip)'
  const law = '(?:lgpd|lei geral de protecao)'
  const claim = '(?:exijo|exigir|solicito|peco|meu direito|tenho direito|violando|desrespeitando|infringindo)'
  const authority = '(?:process(?:o|ar)|procon|anatel|denunci(?:o|ar)|policia|advogad[oa]|justica)'
  const again = `se${upTo(3, 'voces?|me|nos|eu')} (?:lig(?:ar|arem)|continu(?:ar|arem)${upTo(1, 'me')} ligando|insistir(?:em)?)`
  const died = '(?:faleceu|morreu|(?:e|esta|ta) falecid[oa]|veio a (?:falecer|obito))'
  const already = upTo(2, 'ja|infelizmente|tambem')
  return {
    refusals: patternsOf(
      ` ${refuse}${upTo(7, between)} (?:${calls}|${toCall}) (?!a cobrar)`,
      ` (?:nao tem|sem)${upTo(2, 'a|o|minha|meu|nenhuma?')} ${permission}${upTo(5, between)} ${toCall} `,
      ` lig(?:ando|aram|am|ar|arem)${someWords(2)} sem (?:a |o )?(?:minha|meu) ${permission} `,
      ` (?:revogo|retiro|cancelo|revogar|retirar|cancelar)${upTo(2, 'o|a|meu|minha|qualquer|todo')} (?:consentimento|${permission}${someWords(6)} ${toCall}) `,
      ` nao ${want}${upTo(3, 'mais|de|nunca|jamais|que|eu|voltar a')} ser (?:mais )?(?:conta(?:c?t)ad|incomodad|perturbad|importunad|procurad|abordad|ligad|chamad(?=[oa] (?:mais|de novo|$)))[oa]s?(?! (?:agora|hoje|n?ess[ea]|n?est[ea]|amanha)) `,
      ` nao ${want}${upTo(3, 'mais|que|voces?|ninguem|me|nos')} (?:entrem?|entrar|entrarem) em contato(?: comigo| conosco)?(?! (?:agora|hoje|n?ess[ea]|n?est[ea]|amanha)) `,
      ` nao ${want}(?=${someWords(6)} (?:mais|nenhuma?) )${upTo(6, 'saber|ter|receber|de|mais|nenhuma?|tipo|ess[ea]s?')} ${calls} `,
      `(?<! (?:quero|queria|preciso|como|vou|de)) bloque(?:ia|ie|iem|ar)${upTo(3, 'ai|logo|ja|o|a')} (?:meu|minha|nosso|esse|este|essa) ${line} `,
      ` ${remove}${upTo(3, 'ai|ja|logo|o|a|os|as|todos|todas')} (?:(?:meus?|minhas?|nosso) ${mine}|ess[ea] (?:numero|telefone|celular|contato))${upTo(4, end)} (?:$|${list})`,
      ` (?:meus?|minha) ${mine} fora (?:${list})`,
      ` (?:pare|parem|para) de (?:me|nos) (?:ligar|perturbar|incomodar) tod[ao] (?:santo )?(?:dia|hora)`,
      '(?<! (?:el[ea]|eles|filh[oa]|mae|pai|se|quando|gente)) nao me liga (?:de novo|outra vez|novamente) ',
      ' nao (?:me|nos) (?:perturba|incomoda|importuna|enche) mais(?! (?:hoje|agora)) ',
      ' (?:pra|para|favor)(?: voces?)? nao (?:me |nos )?(?:ligar|telefonar)(?:em)? mais(?: pra (?:mim|ca)| pra (?:esse|este|meu) (?:numero|telefone)| aqui)?(?: \\w+)? $',
      ` me ${remove} (?:dai|disso)(?: ai)?${upTo(3, end)} $`,
      ` (?:exclusao|remocao|eliminacao|retirada) (?:d[eoa]s? )?(?:todos os )?(?:meus?|minha) ${mine}(?! (?:antig|d))`,
      ` ${law}${someWords(8)} ${claim} | ${claim}${someWords(8)} ${law} `,
      ` (?:nao (?:aguento|suporto) mais|chega|basta|cans(?:ei|ad[oa])|fart[oa]|saco cheio|par(?:a|e|em|ar|arem) com)${upTo(6, between)} (?:ligac(?:ao|oes)|chamadas|telefonemas) `,
      ` (?:nao (?:aguento|suporto) mais|chega|basta|cans(?:ei|ad[oa])|fart[oa]|saco cheio)(?: de)? (?:voces?|(?:essa )?(?:gente|empresa))${upTo(2, 'me|nos|toda hora')} lig(?:ando|arem|am) `,
      ` (?:cancel(?:a|e|em|ar)|suspend(?:a|am|e|er)|encerr(?:a|e|em|ar))${upTo(3, 'as|essas|todas|os|esses|com')} (?:ligacoes|chamadas|telefonemas|contatos)(?! (?:em espera|perdid))`,
      ' (?:isso|obrigad[oa]|interessad[oa]|ocupad[oa]|favor|interesse|tchau|chega|bom|ta|quero|preciso|ok|saco) nao (?:me |nos )?liga mais(?! (?:hoje|cedo|tarde|agora(?! tchau)))',
      ` nao e (?:mais )?(?:pra|para)${upTo(4, 'voces?|ninguem|mais|me|nos')} (?:lig|telefon)ar(?:em)?(?: mais| pra ca| aqui| pra mim| n?esse numero)`,
      ` ${again}${someWords(8)} ${authority} | (?:${authority}|denunciar voces)${someWords(4)} ${again} `,
      ' esquec(?:e|a|am) (?:(?:d?o )?meu (?:numero|telefone|contato)(?! d)|que eu existo) ',
    ),
    notRefusal:
      / (?:antes d|depois d|ate as|fora d[eo] hor|apos |durante |de madrugada |grav(?:ar|em|ad[oa]|acao) |por (?:e mail|email) |so (?:de|pela|a) (?:manha|tarde|noite) |roub|furt|assalt|perdi |esper(?:ar|ando) |caindo |cair |desconto)/,
    gone: patternsOf(
      ` (?:el[ea]|titular|don[oa]|(?:ess[ea]|est[ea]|o|a) (?:pessoa|senhora?))${already} ${died} `,
      `^${upTo(3, 'ja|infelizmente|olha|entao|moc[ao]|nao|bom')} (?:faleceu|morreu) (?:ja|faz|ano|mes|semana|ha|em|recentemente|ontem)`,
      ' (?:comprei|peguei|adquiri|ganhei|recebi) (?:ess[ea]|est[ea]) (?:chip|linha|numero)(?! (?:d|com|n[oa]|pel))',
      ` (?:ess[ea]|est[ea]) (?:numero|chip) (?:e|esta|ta) novo (?:$|moc|compr|peg|faz|agora|nao)`,
      ` agora (?:ess[ea]|est[ea]) ${line} e (?:meu|minha) | (?:ess[ea]|est[ea]) ${line} (?:agora e (?:meu|minha)|e (?:meu|minha) (?:agora|ha|faz|desde)|passou a ser (?:meu|minha))`,
      ` (?:ess[ea]|est[ea]) ${line} (?:era|pertencia|foi) (?:de|a|do|da) (?:outr[ao]|alguem|antig[oa])`,
      ` (?:nov|antig)[oa] (?:don[oa]|proprietari[oa]|usuari[oa]) (?:d?ess[ea]|d?est[ea]|d[oa]) ${line} `,
    ),
    goneName: new RegExp(
      ` (?:(\\p{L}+)${already} ${died}|nao (?:existe|trabalha|mora|vive|ha)${upTo(2, 'nenhuma?|mais|aqui')} (\\p{L}+)) `,
      'gu',
    ),
    isMe: /(?<! (?:nao|nem)) sou eu | pode falar(?! com) | (?:e|sou) (?:el[ea]|eu) mesm[oa] | engano (?:meu|nosso|seu) /,
  }
}

function english(): RefusalPatterns {
  const not = '(?:dont|do not|didnt|did not|never|wont|will not|cannot|cant|not)'
  const consent = '(?:consent|permission|authorization|approval)'
  const refuse = `(?:${not}|no one|nobody)${upTo(2, 'ever|going|to|agree|you|here')} (?:consent(?:ed)?|authori[sz]ed?|permit(?:ted)?|allow|agreed?|accept|g[ia]v(?:e|ing)${upTo(3, 'you|my|any')} ${consent})`
  const calls = '(?:calls?|calling|solicitations?|contact)'
  const toCall = '(?:be(?:ing)? (?:called|contacted|phoned)|call|calling|contact|contacting|phone|use my number)'
  const between =
    'to|for|you|your|these|those|this|the|any|more|such|kind|of|sort|people|anyone|from|telemarketing|marketing|solicitation|sales|spam|phone|unsolicited|automated|further|get|getting|receive|receiving'
  const end = '(?:please|now|immediately|right now|right away|completely|under|from there|today|again|anymore|any more)'
  const records = '(?:system|systems|database|databases|files?|records?|lists?|there|company)'
  const data =
    '(?:data|information|info|details|records?|name|contact|contacts|number|phone number|phone|contact details)'
  const law = '(?:gdpr|ccpa|tcpa|data protection)'
  const tired = '(?:(?:sick|tired|sick and tired|fed up|done|had enough|enough)(?: already)? (?:of|with))'
  const calling = '(?:(?:phone )?calls|robocalls|you(?: people| guys)? (?:calling|phoning))'
  const authority = '(?:police|sue|suing|lawyer|attorney|fcc|ftc|report|reporting|ofcom)'
  const again = `(?:if|next time)${upTo(2, 'you|anyone|people|ever')} (?:calls?(?: me| us| here)?|keep (?:on )?calling(?: me)?|contact me)(?: again)?`
  const died =
    '(?:passed away|passed on|died(?! laughing)|(?:is|has been|has|was) (?:deceased|passed away|no longer with us|died)|deceased|dead(?! (?:tired|wrong|serious|sure|set))|no longer with us)'
  const number = '(?:number|phone number|phone|line|sim|sim card)'
  const already = upTo(2, 'has|sadly|unfortunately|already|recently|just|is|been|actually')
  return {
    refusals: patternsOf(
      ` ${refuse}${upTo(6, between)} (?:${calls}|${toCall}) `,
      ` (?:(?:dont|do not|never|didnt) (?:have|had)|(?:have|had) no|without|no)(?: my| our| any)? ${consent}${upTo(5, between)} ${toCall} | (?:call|calling|called|contacting)${someWords(2)} without (?:my|our) ${consent} `,
      ` (?:arent|are not|youre not|not) (?:authori[sz]ed|allowed|permitted) to (?:call|contact|phone) `,
      ` (?:revok(?:e|ing)|withdraw(?:ing)?|tak(?:e|ing) back) (?:my|any|all) ${consent} `,
      ` (?:${not}${upTo(2, 'want|wish|like|care|need|ever')} to|(?:would|id|ill) (?:rather|prefer) not(?: to)?|prefer not to) be (?:called|contacted|bothered|disturbed|phoned|harassed)(?! (?:today|now|right now|before|after|at|until|by (?:email|mail|text)) )`,
      ' (?:no|not any) (?:further|more|future|solicitation|telemarketing|sales|marketing) (?:contact|communications?|(?:phone )?calls) ',
      ` ${not} want (?:you|anyone|anybody|your)${upTo(1, 'guys|people|company|office')} (?:calling|to call)(?: me| us| here)? (?!today|now|right now|before|until|at |while|if|back|too|so|him|her|them)`,
      ` block (?:my|this|our) ${number} `,
      ` (?:delete|erase|remove|wipe|destroy|purge|scrub|clear)${upTo(3, 'all|of|any')} (?:my|our)(?: personal)? ${data}${upTo(3, end)} (?:$|(?:from|on|in|off)${upTo(3, 'your|the|this|that|any|all')} ${records})`,
      ` (?:want|need|like)(?: all)?(?: of)? my(?: personal)? ${data} (?:to be )?(?:removed|deleted|erased|gone|blocked) `,
      ' (?:stop|quit) (?:bugging|spamming|hounding|badgering|disturbing) (?:me|us) ',
      ` (?:take|get|pull|strike)${upTo(1, 'all')} my (?:name|number|info|information|details) (?:off|out|from)${upTo(3, 'of|your|the|that|this')} ${records} `,
      ` (?:under|per|according to|violating|violation of|violates) (?:the )?${law}${someWords(8)} (?:erase|delete|remove|stop|calls?|calling|right) `,
      ` ${tired}${upTo(5, 'all|these|your|the|this|those|getting|receiving|so|many')} ${calling} `,
      ` (?:stop|quit|end)(?: with| making| it with)?${upTo(3, 'all|these|your|the|those|this')} (?:phone )?calls | make (?:these|the|your|those) (?:phone )?calls stop `,
      ` (?:cant|cannot|can not) (?:take|stand|bear|handle)${upTo(3, 'any|more|of|these|your|those|all')} (?:phone )?calls (?:anymore|any more|any longer) `,
      ' want off(?: of)? (?:this|the|your|that) (?:\\w+ )?list ',
      ` ${again}${someWords(5)} ${authority} | ${authority}${someWords(4)} if you (?:call|keep calling) `,
      ' (?:lose|forget)(?: you (?:have|had|ever had))? (?:my|this) number ',
      ' (?:said|told you) (?:do not|dont) call(?! (?:before|after|at|until)) ',
      ' (?:so|and|please|but|it|uh|um) (?:dont|do not|never) call(?: me| us| here| this number)? (?:anymore|any more|again)(?! (?:today|before|until|at)) ',
    ),
    notRefusal:
      / (?:record(?:ed|ing) |before (?:noon|\w+ (?:am|oclock)|\d)|after (?:\d|five|six|seven|eight|nine|ten)|at work |at night |stolen |stole |lost |getting no answer|by (?:e mail|email) |waiting )/,
    gone: patternsOf(
      ` (?:he|she|the (?:owner|account holder|person)|hes|shes)${already} ${died} `,
      ` (?:this|thats|its|that) (?:is )?a new ${number}(?! (?:please|for|i))| (?:this|its a) ${number} is new `,
      ` (?:just|only|recently) (?:got|bought|received|have had|had) this ${number}(?! how)| got assigned this ${number}`,
      ` (?:bought|got) this (?:sim|sim card|number) (?:recently|yesterday|last|a|two|three|this) `,
      ` this ${number}${upTo(2, 'has|just')} (?:used to (?:belong|be)|belonged|was (?:reassigned|assigned|given)|got reassigned|been reassigned|is now mine|is mine now)`,
      ` (?:new|previous|former|old|last) owner of (?:this|the) ${number} `,
    ),
    goneName: new RegExp(
      ` (?:(\\p{L}+)${already} ${died}|(?:no|have a|have any) (\\p{L}+) (?:here|at this|on this|living|in this)|(\\p{L}+) (?:doesnt|does not|no longer) (?:have|has|own|owns|use|uses) this ${number}) `,
      'gu',
    ),
    isMe: / (?:yes|yeah) (?:thats|this is|its) (?:me|he|she) | its me | this is (?:he|she|me) | go ahead |(?:^| )(?:yes )?speaking $/,
  }
}

function spanish(): RefusalPatterns {
  const permission = '(?:autorizacion|permiso|consentimiento)'
  const refuse = `(?:nadie${upTo(1, 'les|aqui')} autorizo|no${upTo(2, 'yo|les?|te|mas|he|nunca')} (?:autori(?:zo|ce|zado|zamos)|permit(?:o|i|imos)|consient[oe]|consenti|acepto|admito|estoy de acuerdo|d(?:oy|i)${upTo(2, 'mi|el|ningun')} ${permission}))`
  const want = '(?:quiero|queria|deseo|quisiera|pretendo|acepto|necesito)'
  const calls = '(?:llamadas?|contactos?)'
  const toCall =
    '(?:llam(?:en?|es|ar(?:me|nos)?|ando(?:me)?)|contact(?:en?|es|ar(?:me|nos)?)|molest(?:en?|es|ar(?:me|nos)?|ando)|busquen?|us(?:en?|ar) mi (?:numero|telefono))'
  const between =
    'que|me|nos|mas|a|para|de|estas?|esas?|sus?|ningun[ao]?|este|ese|tipo|recibir|otras?|nadie|ustedes|usted|con|est(?:en|ar)|vuelvan?|las?|todos?|los|tant[ao]s|dias|la empresa|se|sigan?'
  const remove =
    '(?:quit(?:a|e|en|ar)|sa(?:ca|car|que|quen)|elimin(?:a|e|en|ar)|borr(?:a|e|en|ar)|remuev(?:a|an)|remover|retir(?:a|e|en|ar)|suprim(?:a|an|ir))'
  const mine = '(?:nombre|datos|informacion|numero|telefono|celular|contacto|registro)'
  const end = '(?:de ahi|de alli|ya|por favor|ahora|inmediatamente|personales|todos?|senorit[ao]|senor|tambien)'
  const list = '(?:de|del) (?:\\w+ ){0,2}(?:listas?|base|bases|registros?|sistema|agenda|directorio)'
  const line = '(?:numero|telefono|celular|movil|linea|chip)'
  const law = '(?:ley (?:federal )?de (?:proteccion de )?datos|ley de proteccion|habeas data|derechos? arco)'
  const claim = '(?:exijo|exigir|solicito|pido|ejerzo|derecho)'
  const authority = '(?:denunci(?:o|ar|are)|demand(?:o|ar|are)|policia|abogad[oa]|profeco|indecopi|sernac|justicia)'
  const again = `si${upTo(2, 'me|nos|ustedes')} (?:vuelven? a llamar(?:me|nos)?|siguen? llamando(?:me|nos)?|llaman otra vez|insisten)`
  const died = '(?:fallecio|murio|ha fallecido|ha muerto|esta muert[oa]|(?:es|esta) fallecid[oa])'
  const already = upTo(2, 'ya|lamentablemente|tambien|desgraciadamente')
  return {
    refusals: patternsOf(
      ` ${refuse}${upTo(7, between)} (?:${calls}|${toCall}) (?!por cobrar)`,
      ` (?:no tienen?|sin)${upTo(2, 'mi|la|el|ningun')} ${permission}${upTo(5, between)} ${toCall} | llam(?:ando|an|aron)${someWords(2)} sin mi ${permission} `,
      ` (?:revoco|retiro|revocar|retirar)${upTo(2, 'mi|el|la|cualquier')} (?:consentimiento|${permission}${someWords(6)} ${toCall}) `,
      ` no ${want}${upTo(2, 'mas|volver a|que')} ser (?:mas )?(?:contactad|molestad|llamad|importunad|buscad)[oa]s?(?! (?:ahora|hoy|en est|a est|manana))`,
      ` no ${want}${upTo(5, 'que|me|nos|mas|esten|sigan|vuelvan a|ustedes')} (?:contact(?:en|ando|arme)|molest(?:en|ando|arme)|llamando) (?!ahora|hoy|en est|a est|manana)`,
      ` no ${want}(?=${someWords(6)} (?:mas|ningun[ao]?) )${upTo(5, 'saber|tener|recibir|de|mas|ningun[ao]?')} (?:llamadas?|contacto) (?!ahora|hoy)`,
      `(?<! (?:quiero|como|necesito|voy a)) bloque(?:a|e|en|ar)${upTo(2, 'ya|a')} (?:mi|este|ese|nuestro) ${line} `,
      ` ${remove}${upTo(3, 'ya|todos|todas|toda|la|los')} (?:(?:mi|mis|nuestros?) ${mine}|(?:este|ese) (?:numero|telefono|celular))${upTo(4, end)} (?:$|${list})`,
      ` (?:${remove}(?:me|nos)|(?:quiten|saquen|borren|eliminen|quite|saque|borre|elimine)(?:me|nos)) (?:de ahi|de alli|de eso)${upTo(2, end)} $`,
      ` ${law}${someWords(8)} ${claim} | ${claim}${someWords(8)} ${law} `,
      ` (?:(?:no|ya no) (?:aguanto|soporto)(?: mas)?|basta|hart[oa]|cans(?:ad[oa]|e)|paren? con|para con|dejen de hacer)${upTo(5, between)} llamadas `,
      ` (?:(?:no|ya no) (?:aguanto|soporto)(?: mas)?|hart[oa] de|cansad[oa] de)${upTo(3, 'que|me|nos|ustedes|esten|sigan')} (?:llamen|llamando|molesten) `,
      ` (?:dejen?|deja|paren?) de (?:llamar|molestar|marcar)(?:me|nos) (?:todos los dias|a cada rato|tanto) `,
      ` ya no${upTo(2, 'me|nos|quiero que')} (?:llamen|llame|marquen|contacten|molesten)(?! (?:hoy|ahora|tan|a esta|tarde|temprano)) `,
      ` ${again}${someWords(6)} ${authority} | ${authority}${someWords(3)} ${again} `,
      ' olvid(?:a|e|en|ense|ese|ate)(?: de)? (?:de )?mi (?:numero|telefono|contacto)(?! d) ',
    ),
    notRefusal:
      / (?:antes de|despues de|hasta las|fuera de|durante |de madrugada |grab(?:ar|en|ad[oa]|acion) |por (?:correo|email) |rob(?:aron|ado|o) |perdi |nadie contest|esperar |esperando )/,
    gone: patternsOf(
      ` (?:el|ella|titular|duen[oa]|(?:es[ae]|est[ae]|el|la) (?:persona|senora?))${already} ${died} `,
      `^${upTo(3, 'ya|lamentablemente|mire|no|senorita|senor')} (?:fallecio|murio) (?:ya|hace|el|en|recientemente|ayer)`,
      ` (?:compre|comprar|adquiri|recibi) (?:est[ea]|es[ea]) (?:chip|linea|numero)(?! de)`,
      ` (?:est[ea]|es[ea]) (?:numero|chip|linea) es nuev[oa] (?:$|lo|la|senor|acabo|compre)`,
      ` (?:est[ea]|es[ea]) ${line} (?:ahora es (?:mi[oa])|es mi[oa] (?:ahora|desde|hace))| ahora (?:est[ea]|es[ea]) ${line} es mi[oa] `,
      ` (?:est[ea]|es[ea]) ${line} (?:era|pertenecia|fue) (?:de|a) (?:otr[ao]|alguien|su antiguo)`,
      ` (?:nuev|antigu)[oa] (?:duen[oa]|propietari[oa]|titular) de (?:est[ea]|es[ea]|la|el) ${line} `,
    ),
    goneName: new RegExp(
      ` (?:(\\p{L}+)${already} ${died}|no (?:existe|trabaja|vive|hay)${upTo(2, 'ningun|ninguna|aqui|mas')} (\\p{L}+)) `,
      'gu',
    ),
    isMe: /(?<! no) soy yo | (?:digame|diga me) | con (?:el|ella) habla | error mio /,
  }
}

export const refusalPatterns: readonly RefusalPatterns[] = [portuguese(), english(), spanish()]
