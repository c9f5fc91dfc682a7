// Patterns of opt-outs and of wrong persons. They match words without case, accents and punctuation, with one space
// before and after each.

type WishPatterns = {
  optOut: readonly RegExp[]
  /** "não me ligue hoje" only asks for another time. */
  notOptOut: RegExp
  /** In a question, these ask about calls instead of forbidding them. */
  asks: RegExp
  wrongPerson: readonly RegExp[]
  notWrongPerson: RegExp
  /** "não sou o …": the next word is a name. */
  deniesName: RegExp
  /** Another person, who fetches the right one or knows them. */
  handsOver: RegExp
}

const patternsOf = (...sources: string[]) => sources.map((source) => new RegExp(source))

function portuguese(): WishPatterns {
  const call =
    '(?:liguem?|ligues|telefonem?|chamem?|contatem?|contactem?|procurem?|perturbem?|incomodem?|importunem?|encham?)'
  const toCall =
    '(?:ligar|ligarem|telefonar|telefonarem|chamar|contatar|contactar|procurar|perturbar|incomodar|importunar)'
  const lead =
    '(?: (?:quero|queria|gostaria|desejo|aceito|que|voces?|e|era|pra|para|precisam?|podem?|devem?|me|nos|mais|mesmo|ninguem))'
  const place =
    '(?: (?:para|pra|pro|a|o|neste|nesse|este|esse|meu|minha|nosso|mim|gente|casa|aqui|ca|numero|telefone|celular|comigo|de novo|novamente|nao|viu|ta|ok|por favor|nunca|jamais|isso|so))'
  /** "… agora tchau" ends the call; it does not limit the opt-out. */
  const justNow = 'agora(?! (?:tchau|chega))'
  const time = `(?:hoje|${justNow}|amanha|cedo|tarde|tao|vezes|n?ess[ea] (?:horario|hora|momento|semana|mes)|n?est[ea] (?:horario|hora|momento|semana|mes)|a (?:essa|esta) hora|no momento|de manha|pela manha|de tarde|a tarde|a noite|de noite|de madrugada|(?:no |ao |aos |de )?(?:domingos?|sabados?|feriados?)|(?:no |aos? )?(?:fim|fins) de semana|antes|depois|ate|enquanto|no (?:trabalho|servico|horario)|na hora|em horario|durante|quando|por enquanto|por ora|tod[ao] (?:hora|dia)|tanto|as \\d)`
  /** "para de ligar pra isso" means to stop caring about it. */
  const toOthers =
    '(?:isso|tanto|(?:pra|para|pro|a|o) (?!mim|ca|casa|gente|meu|minha|nosso|nossa|este|esse numero|esse telefone|todo|tempo|qui))'
  const remove =
    '(?:tir(?:a|e|em|ar|arem)|remov(?:a|e|am|er|erem)|exclu(?:a|i|am|ir|irem)|apag(?:a|ue|uem|ar|arem)|retir(?:a|e|em|ar|arem)|risc(?:a|ar)|risquem?|delet(?:a|e|em|ar|arem)|elimin(?:a|e|em|ar)|descadastr(?:a|e|em|ar))'
  const list = '(?:listas?|base|mailing|cadastros?|sistema|contatos|agenda|banco de dados)'
  return {
    optOut: patternsOf(
      ` nao${lead}{0,6} ${call}${place}{0,6} mais(?! ${time})`,
      ` nao${lead}{0,6} (?:me|nos) ${toCall}${place}{0,6} mais(?! ${time})`,
      ` nao${lead}{0,4} mais${lead}{0,4} (?:${call}|me ${toCall}|nos ${toCall})(?! ${time})`,
      ` nao precisam? (?:mais )?(?:me )?ligar(?:em)?${place}{0,4} mais(?! ${time})`,
      ` nao precisam? mais (?:me )?${toCall}(?! ${time})`,
      ` nao(?: (?:quero|queria|gostaria|desejo|que|voces?|me|nos|ninguem)){0,5} ${call}${place}{0,6} $`,
      ` nunca mais${lead}{0,5} (?:${call}|(?:me|nos) ${toCall})`,
      ` (?:${call}|(?:me|nos) ${toCall})${place}{0,4} nunca mais`,
      `^(?: (?:entao|olha|oi|moc[ao]|amig[ao]|por favor|favor|e|mas|ai|poxa|gente|cara|senhor|senhora|voce|voces|ve se)){0,4} (?:nao (?:me |nos )?liga(?: pra mim| pra ca| aqui| pra esse numero| pra ca nao)? mais|nunca mais (?:me |nos )?liga)(?! (?:hoje|${justNow}|cedo|tarde|tao|a essa hora|esse horario|nesse horario))`,
      ` (?:pare|parem|para|(?<! (?:vou|preciso|devo|queria|tenho que) )parar|pararem) de (?:(?:me|nos) ${toCall}|ligar|telefonar|encher|incomodar|perturbar|importunar) (?!${toOthers})`,
      ` ${remove} (?:ai |ja )?(?:o )?(?:meu|nosso|esse|este) (?:numero|telefone|celular|contato)(?! (?:antigo|velho|anterior|fixo|do pedido|da reserva|da consulta|da compra|da nota))`,
      ` ${remove} (?:ai |ja )?(?:o |os )?(?:meu|meus|nosso) (?:nome|cadastro|dados|registro)(?: (?:ai|todo|todos))? (?:da|do|de|das|dos|dessa|desse|desta|deste|dai) (?:\\w+ ){0,2}${list}`,
      ` (?:me|nos) ${remove} (?:da|do|de|das|dos|dessa|desse|desta|deste) (?:\\w+ ){0,2}${list}`,
      ` ${remove}(?: me| eu| a gente) (?:da|do|de|dessa|desse|desta|deste) (?:\\w+ ){0,2}${list}`,
      ` (?:sair|sai|saio|ser (?:removid|excluid|retirad|tirad)[oa]) (?:da|do|de|dessa|desse|desta|deste) (?:\\w+ ){0,2}(?:listas?|mailing|base|cadastro)`,
      ' (?:me descadastr(?:a|e|em|ar)|descadastr(?:a|e|ar) (?:me|meu)|quero descadastrar) ',
      ` nao (?:quero|queria|desejo|autorizo|aceito|gostaria de)(?: (?:mais|receber|nenhuma?|tipo|de|esse|desse|essas|suas|as|outras))+ (?:ligacao|ligacoes|chamadas?|telefonemas?|contatos?)(?: (?:de voces|da empresa|sua|suas|nenhuma?|mais|por telefone)){0,2}(?! (?:${time}|com|da minha|do meu))`,
      ' nao (?:quero|aceito|autorizo) (?:ligacao|ligacoes|chamadas|contato|telefonema) (?:de voces|nenhuma?|mais|sua|suas)',
      ` nao entr(?:e|em|ar|arem) (?:mais em contato|em contato(?: comigo| conosco)? mais)(?! ${time})`,
      ' nao entr(?:e|em) em contato(?: (?:comigo|conosco|por favor|novamente|de novo)){0,3} $',
      ' (?:me|nos) deix[ae]m? em paz | deix[ae]m? (?:a gente|eu) em paz ',
      '^(?: (?:entao|por favor|ve se|olha)){0,2} me esquec[ae]m? $',
      ' (?:lista|cadastr\\w{1,8}|inscrit[oa]|site|registr\\w{1,8})(?: \\w+){0,3} nao (?:me )?pertur',
      ` ja (?:pedi|falei|disse|avisei|solicitei|cansei de pedir)(?: \\w+){0,3} (?:para|pra|que)(?: voces?)? (?:nao(?: me| nos| mais){0,2} (?:ligar|ligarem|ligassem|liguem?|telefonar|telefonarem)|parar(?:em)? de)(?! ${time})`,
      ' chega de (?:ligacao|ligacoes|me ligar|telefonemas?|chamadas) ',
    ),
    notOptOut: new RegExp(
      ` (?:(?:${call}|${toCall}|liga)${place}{0,6}(?: mais)? ${time}|coloca|coloque|colocar|poe|ponha|bota|botar|troca|troque|trocar|atualiza|atualize|atualizar|outro numero|novo numero|numero novo|por enquanto|por ora) `,
    ),
    asks: / (?:por que|porque|quando|vao|vai|sera que|quem) /,
    wrongPerson: patternsOf(
      ' (?:numero|telefone) (?:(?:esta|ta) )?errado (?!de )',
      ' (?:ligou|ligaram|discou|discaram|ligando|e|esta ligando) (?:no |pro |para o )?(?:numero |lugar )?errad[oa] $',
      ' (?:foi|e|deve ser|e um|foi um|deve ter sido|so pode ser) engano |^ engano ',
      ' pessoa errada ',
      ' nao sou eu(?! (?:que|quem|o |a |mesm|sozinh))',
      ' nao sou (?:ess[ea]|est[ea]|a) pessoa(?! (?:certa|indicada|responsavel|que (?:decide|cuida|resolve)))',
      ' nao conheco (?:nenhuma? pessoa|ninguem (?:com|chamad)|ess[ea] pessoa|ess[ea] (?:senhor|senhora|homem|mulher|moc[ao])|quem e ess[ea])',
      ' (?:nao (?:tem|ha|existe|mora)|nem tem) (?:ninguem|nenhuma? pessoa|alguem)(?: aqui)? (?:com|por) (?:esse|este) nome',
      ' ninguem(?: aqui)? (?:com|se chama) (?:esse|este|assim)',
      ' (?:esse|este) (?:numero|telefone|celular) (?:nao|ja nao) (?:e|pertence)(?: mais)? (?:del[ea]|d[eoa] |mais del[ea]|a ele|a ela|dess[ea]|ao |a )',
      ' (?:nao e|ja nao e) (?:mais )?o (?:numero|telefone|celular) (?:del[ea]|d[eoa] |dess[ea])',
      ' (?:nao mora|nao reside|nao vive|nao trabalha) (?:mais )?(?:aqui|nesse|neste|ness[ea]|nest[ea])',
      ' aqui nao (?:mora|reside|vive) ',
    ),
    notWrongPerson:
      / (?:passei|passou|dei|anotei|anotou|coloquei|colocou|digitei|digitou|escrevi|pedido|protocolo|cpf|rg|cartao|casa|endereco|conta|boleto|nota|contrato|salvei|cadastrei|informei|porta|apartamento|cep|senha) /,
    deniesName:
      / (?:nao sou|nao e|nao me chamo|nao conheco|nao tem)(?: (?:o|a|do|da|com|seu|dona|senhor|senhora|nenhum|nenhuma)){0,2} (\p{L}+) (?!(?:\p{L}+ ){0,2}(?:que|quem) )/u,
    handsOver:
      / (?:(?:vou|posso|deixa eu|quer que eu|ja|deixe eu) (?:chamar|chama|passar|ver se|avisar|anotar)|so um (?:momento|minut\w{1,4}|instante|segundo)|um (?:momento|momentinho|minutinho|instante)|(?:el[ea]) (?:ja |so )?(?:volta|chega|saiu|esta|ta|nao esta|nao ta|foi|viajou)|sou (?:a |o )?(?:esposa|mulher|marido|mae|pai|filh[oa]|irma|irmao|secretari[ao]|assistente|namorad[oa]|sobrinh[oa]|net[oa]|cuidador[a]?|sogr[oa]|avo)) /,
  }
}

function english(): WishPatterns {
  const not = '(?<! (?:i|we|they|he|she|why|you|who|people|kids))(?: (?:dont|do not|never))(?: you| ever| you ever)?'
  const call = '(?:call|phone|ring|contact|telephone|bother|disturb|dial|text)'
  const whom =
    '(?: (?:me|us|here|this (?:number|phone|line|house)|my (?:number|phone|house|home|cell|mobile|family)|at|on|back|please|again|anyone))'
  const time =
    '(?:today|tonight|now|right now|tomorrow|this (?:week|morning|afternoon|evening|month|early|late)|so (?:early|late|often|much|many)|that (?:early|late)|at (?:this (?:hour|time)|work|night|that|my work|\\d|the office|dinner)|before|after|until|till|during|while|when|in the|on (?:a |my )?(?:mon|tues|wednes|thurs|fri|satur|sun|week|holi)|between|unless|if|yet|every|too|for (?:now|a|the next)|later)'
  const off =
    '(?:off|from|out)(?: (?:of|off|your|the|this|that|all|any|these|those|call|calls|calling|phone|marketing|contact|contacts|telemarketing|dialing|dialling|mailing|company|sales)){0,6} (?:lists?|database|databases|system|records|register)'
  return {
    optOut: patternsOf(
      `${not} ${call}${whom}{0,4} (?:again|anymore|any more|ever|no more)(?! ${time})`,
      `${not} ${call}${whom}{0,4} $`,
      ` not to (?:be )?(?:${call}|called|contacted|phoned)(?: (?:me|us|here|this number|my number|back))(?: again| anymore| any more)?(?: please)? $`,
      ` (?:stop|quit|cease) (?:calling|phoning|ringing|contacting|bothering|harassing|disturbing|pestering) `,
      ` (?:take|remove|delete|get|strike|scratch|drop|pull|erase|cross) (?:me|us|my (?:name|number|phone|phone number|info|information|details|contact|data)|this (?:number|phone)|our number) ${off}`,
      ' (?:remove|delete|erase) (?:my|this|our) (?:number|phone number|phone|contact)(?: please| now| immediately| completely){0,2} $',
      ` (?:want|like|need|get|be|how do i get) (?:to be |to get |to come |to go )?(?:removed |taken |deleted )?${off}`,
      ' unsubscribe(?! (?:from the (?:newsletter|channel)|him|her)) ',
      ' (?:want|like|wish|need|going|choose) to opt out | opt me out | opt us out ',
      ' (?:dont|do not|no) call (?:list|register|registry) ',
      `(?: (?:dont|do not|never)) want(?: (?:any|more|any more|to|get|receive|you|these|your|anyone|further|other|people|phone)){0,5} (?:calls|calling me|calling|call me)(?: (?:from you|again|anymore|any more|please|ever|like this|like these)){0,2}(?! ${time})(?= )`,
      '(?: (?:dont|do not|never)) want to be (?:called|contacted|phoned|bothered|disturbed)(?: (?:again|anymore|any more|by you|ever|please|at all)){0,3} $',
      '(?:^| )(?: please)? no more calls(?: please| from you| to this number){0,2} $',
      '(?:^| )(?:please |just |will you |would you |can you )?leave (?:me|us) alone ',
      ' (?:lose|forget) (?:my|this) number ',
    ),
    notOptOut: new RegExp(
      ` (?:(?:${call}|\\w+ing)${whom}{0,4} (?:${time}|names|sir|madam|maam|mr|mrs|him|her|it|that|them)|for now|new number instead|instead use|update my number|why dont) `,
    ),
    asks: / (?:why|when|what|who|are you|did you|do you) /,
    wrongPerson: patternsOf(
      ' wrong (?:number|person|guy|lady|house|phone)(?! of) ',
      ' (?:thats|that is|this is|its|it is) not (?:me|him|her|my name|his (?:number|phone)|her (?:number|phone)|their (?:number|phone)) (?!who|that)',
      ' (?:this|that) (?:isnt|isn t|is no longer|isnt) (?:me|him|her|he|she|his (?:number|phone)|her (?:number|phone)|their (?:number|phone)) ',
      ' (?:im|i am) not (?:that person|the person (?:you|youre)|who you|him|her|the one (?:you|youre)|the guy you|the right person) ',
      ' (?:nobody|no one|noone|there is no one|theres no one|theres nobody|not anyone) (?:here )?(?:by|with|called|named|of) ',
      ' (?:doesnt|does not|dont|do not) live here | (?:no longer|never) lives? here | (?:doesnt|does not) work here ',
      ' never heard of (?:him|her|them|that person|this person|such|anyone)',
      ' (?:dont|do not) know (?:him|her|that person|this person|who that is|who that person is|anyone (?:by|with|called|named)|anybody (?:by|called|named)|any such) ',
      ' (?:number|phone) (?:doesnt|does not|no longer|isnt|is not) (?:belongs?|theirs|his|hers) ',
      ' (?:have|got|reached|dialed|dialled) the wrong ',
    ),
    notWrongPerson:
      / (?:i|we|they) (?:gave|give|wrote|typed|put|entered|dialed|dialled|called|told|had|have|got) | (?:order|card|account|policy|tracking|invoice|confirmation|house|apartment|social|serial|flight|room|the website|my file|wrong number of) |maybe im the wrong/,
    deniesName:
      / (?:im not|i am not|this is not|this isnt|thats not|my name is not|my name isnt|not) (\p{L}+) (?!(?:\p{L}+ ){0,2}(?:who|that) )/u,
    handsOver:
      / (?:(?:ill|i will|let me|i can|shall i|want me to|hold on) (?:get|call|fetch|put|take|grab|see)|one (?:moment|second|minute|sec)|just a (?:moment|second|minute|sec)|hold on|hang on|(?:he|she|they) (?:is|are|will|ll|stepped|went|isnt|arent|comes|just)|(?:hes|shes|hell|shell) (?:\w+)|(?:im|i am|this is) (?:his|her|their) (?:wife|husband|mother|father|mom|dad|son|daughter|brother|sister|secretary|assistant|partner|nurse)) /,
  }
}

function spanish(): WishPatterns {
  const call =
    '(?:llamen?|llames|llameis|marquen?|telefoneen?|contacten?|contactes|molesten?|molestes|fastidien?|importunen?|busquen?)'
  const toCall =
    '(?:(?:llamar|molestar|contactar|telefonear|fastidiar|importunar)(?:me|nos)?|(?:marcar|buscar)(?:me|nos))'
  const lead = '(?: (?:quiero|queria|quisiera|deseo|que|usted|ustedes|me|nos|se|nadie|mas))'
  const place =
    '(?: (?:a|al|este|ese|mi|nuestro|numero|telefono|celular|movil|casa|aqui|aca|por favor|nunca|jamas|mi casa|senorita|senor|si|entiende|no))'
  const time =
    '(?:hoy|ahora|manana|tarde|temprano|tan|seguido|a est[ae]s? horas?|a es[ae]s? horas?|en este momento|en est[ae]s? horarios?|est[ae] (?:semana|mes|noche|tarde)|por la|de noche|de madrugada|(?:los|el|en) (?:domingos?|sabados?|lunes|feriados?|fin|fines)|antes|despues|hasta|(?:en|al) (?:el )?(?:trabajo|oficina)|mientras|cuando|todos los dias|por ahora|de momento|por el momento|durante|a las|tanto|a cada rato)'
  const remove =
    '(?:quit(?:a|e|en|ar)|sac(?:a|ar)|saquen?|elimin(?:a|e|en|ar)|borr(?:a|e|en|ar)|remuev(?:a|an)|remover|retir(?:a|e|en|ar)|tach(?:a|e|en|ar)|suprim(?:a|an|ir))'
  const list = '(?:listas?|base|bases|registros?|sistema|contactos|agenda|directorio)'
  return {
    optOut: patternsOf(
      ` no${lead}{0,6} ${call}${place}{0,6} mas(?! ${time})`,
      ` no${lead}{0,5} mas${lead}{0,4} ${call}(?! ${time})`,
      ` no${lead}{0,5} (?:vuelvan?|vuelvas) a ${toCall} `,
      ` no(?: (?:quiero|queria|quisiera|deseo|que|usted|ustedes|me|nos)){0,5} ${call}${place}{0,6} $`,
      ` nunca mas${lead}{0,4} (?:${call}|vuelvan? a ${toCall})`,
      ` ${call}${place}{0,4} nunca mas`,
      `(?<! no| nunca) (?:dejen?|deja|dejar|dejad|paren?|para|basta) de ${toCall} `,
      ` ${remove}(?:me)? (?:ya )?(?:mi|este|ese|nuestro) (?:numero|telefono|celular|movil|contacto)(?! (?:antiguo|viejo|anterior|fijo|del pedido|de la reserva|de la cita|de la compra))`,
      ` ${remove} (?:ya )?(?:mi|mis) (?:nombre|datos|registro) de (?:\\w+ ){0,2}${list}`,
      ` (?:me |nos )?${remove}(?:me|nos) de (?:\\w+ ){0,2}${list}| (?:me|nos) (?:puede |pueden |podria |podrian )?${remove} de (?:\\w+ ){0,2}${list}`,
      ` (?:salir|salirme|ser (?:eliminad|borrad|retirad)[oa]) de (?:\\w+ ){0,2}(?:listas?|base|registro)`,
      ' (?:darme|deme|denme|dame|me (?:de|den|da|dan|doy|puede dar|pueden dar)|quiero) (?:de )?baja(?! (?:el|la|mi|del|un) (?:servicio|linea|contrato|plan|cuenta|tarjeta|seguro|internet|suscripcion))',
      ' (?:dar|den|de) de baja (?:a )?(?:mi|este) (?:numero|telefono|celular)',
      ` no (?:quiero|deseo|quisiera|acepto|autorizo)(?: (?:recibir|mas|ninguna|sus|estas|esas|este|tipo|de|otra))+ (?:llamadas?|contactos?)(?: (?:de ustedes|suyas?|comerciales|mas)){0,2}(?! ${time})(?= )`,
      ' (?:dejen?me|dejame|dejen?nos|dejanos) en paz ',
      ' lista robinson | lista de (?:exclusion|no llamar|no llame) | registro (?:nacional )?no llame ',
      ` ya (?:les? |te |se lo |les he )?(?:dije|pedi|he dicho|he pedido|dicho)(?: \\w+){0,2} que no(?: me| nos){0,1} (?:llamaran?|llamen?|llamasen|vuelvan?|volvieran|molesten?)(?! ${time})(?= )`,
      ' basta de llamadas | no mas llamadas ',
    ),
    notOptOut: new RegExp(
      ` (?:(?:${call}|${toCall})${place}{0,6}(?: mas)? ${time}|pon|ponga|pongan|cambie|cambien|cambiar|actualice|actualizar|otro numero|nuevo numero|numero nuevo|por ahora|de momento|por el momento) `,
    ),
    asks: / (?:por que|cuando|van a|va a|quien|acaso) /,
    wrongPerson: patternsOf(
      ' (?:numero|telefono) (?:esta )?equivocado(?! de) ',
      ' (?:se (?:ha )?(?:equivoco|equivocado|confundio|confundido)|esta equivocad[oa]|te equivocaste|marco mal|marcaron mal|se equivocaron) (?:de|el) (?:numero|persona|telefono|casa)',
      ' (?:marco|marcaron|marcaste) (?:mal|el numero equivocado) ',
      ' persona equivocada ',
      ' (?:llamo|llamaron|llama|esta llamando) al numero equivocado ',
      ' no soy yo(?! (?:quien|el que|la que|solo|sola))',
      ' no soy (?:esa|la) persona(?! (?:adecuada|indicada|correcta|encargada))',
      ' (?:aqui|aca) no (?:vive|reside) ',
      ' (?:no vive|ya no vive|no trabaja|ya no trabaja) (?:aqui|aca|en esta|en este)',
      ' no hay nadie(?: aqui| aca)? (?:con ese|que se llame|llamad[oa])',
      ' no conozco a (?:es[ea]|nadie|ningun|ninguna|ese senor|esa senora)',
      ' no (?:lo|la) conozco $',
      ' (?:este|ese) (?:numero|telefono|celular) (?:no|ya no) (?:es|pertenece) (?:de |del |a |suyo|el )',
      ' (?:este|ese|aqui) (?:no es|ya no es) (?:el|su) (?:numero|telefono|celular) (?:de|del) ',
      ' (?:es un|fue un|debe ser un) (?:error de numero|numero equivocado) ',
    ),
    notWrongPerson:
      / (?:di|dio|anote|anoto|puse|puso|escribi|marque|pedido|tarjeta|cuenta|factura|contrato|direccion|poliza|reserva|registre|apunte|contrasena|documento) /,
    deniesName:
      / (?:no soy|no me llamo|no es|no conozco|no hay|no trabaja)(?: (?:a|el|la|don|dona|senor|senora|ningun|ninguna)){0,2} (\p{L}+) (?!(?:\p{L}+ ){0,2}(?:que|quien) )/u,
    handsOver:
      / (?:(?:ya |ahora )?(?:se|te|le) (?:lo|la) (?:paso|comunico|pongo)|voy a (?:llamarl[oa]|pasarl[oa]|buscarl[oa]|avisarle|ver si)|(?:quiere|puedo) (?:que|dejar|tomar|anotar)(?: \w+)?|un (?:momento|momentito|segundo|minuto)|(?:el|ella) (?:ya |no )?(?:vuelve|viene|esta|salio|llega|regresa)|soy (?:su|la|el) (?:espos[ao]|mujer|marido|madre|padre|mama|papa|hij[oa]|herman[oa]|secretari[oa]|asistente|novi[oa])) /,
  }
}

export const wishPatterns: readonly WishPatterns[] = [portuguese(), english(), spanish()]
