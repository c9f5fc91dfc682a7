// What else people say to a call: another time, the person called is absent. Rules over the words of a clause; see
// word-rules.ts for the notation.
import { type WordClasses, type WordRule, wordRules } from '../base/text/word-rules.ts'

type RequestRules = {
  /** Asks for a call at another time. */
  callback: readonly WordRule[]
  /** The person called is not there; somebody else speaks. */
  absent: readonly WordRule[]
  /** Cannot talk now. */
  busy: readonly WordRule[]
  /** The clause is about something else: somebody else calls, or the caller forbids it. */
  not: readonly WordRule[]
}

const rulesOf = (classes: WordClasses, texts: Record<keyof RequestRules, string>): RequestRules => ({
  callback: wordRules(classes, texts.callback),
  absent: wordRules(classes, texts.absent),
  busy: wordRules(classes, texts.busy),
  not: wordRules(classes, texts.not),
})

const portuguese = rulesOf(
  {
    they: `ele ela marido esposa mulher mae pai filho filha irmao irma avo sogra sogro patrao patroa chefe doutor doutora dono dona
      titular namorado namorada tia tio primo prima seu dona_* senhor_*`,
    be: 'esta ta tava estava continua',
    away: `viajando dormindo trabalhando ocupado ocupada fora internado internada dirigindo descansando almocando jantando atendendo
      de_ferias de_cama ausente doente`,
    place: `casa servico trabalho hospital banho medico escola faculdade rua igreja academia roca praia viagem reuniao mercado banco
      dentista shopping ginasio padaria plantao aula obra`,
    myPlace: `servico trabalho hospital banho medico escola faculdade rua igreja academia praia reuniao mercado banco dentista aula
      transito onibus metro carro velorio cinema almoco plantao volante enterro consulta viagem ligacao`,
    begin: `oi olha entao mas e ah ai bom por_favor favor moca moco so agora amanha nao depois mais_tarde pode poderia podem me nos
      melhor ja logo voce voces vc`,
    call: 'liga ligue liguem retorna retorne retornem telefona telefone telefonem procure procura procurem chame',
    toCall: 'ligar ligarem ligando retornar retornarem telefonar procurar dar_uma_ligada falar_comigo chamar conversar_comigo',
    ask: `pode podem poderia poderiam consegue conseguem tem_como da_pra da_para dava_pra sera_que_da quer melhor prefiro
      prefere podia preferia gostaria`,
    later: `mais_tarde depois outr* amanha segunda terca quarta quinta sexta sabado domingo semana_que_vem proxima daqui_a a_noite
      de_noite a_tarde de_tarde de_manha pela_manha noutr*`,
    talk: 'falar conversar falamos conversamos fala conversa ver_isso resolver_isso marcar remarcar deixar_pra deixa_pra',
    now: 'agora hoje nesse_momento neste_momento no_momento',
  },
  {
    callback: `
      ^ $begin? $begin? $begin? me|nos? $call !o|os|as|isso|pra_isso|pra_essas|pra_essa|pro|para_o|quando_quiser
      me|nos $call ~1 $later|as|depois|na|no|em|de|daqui|dia|la
      que|se ~2 me|nos $call
      $ask|que ~2 me|nos|voce|voces? $toCall !o|os|as|quando_quiser|com
      $ask ~2 me|nos? $toCall ~2 $later|as|dia
      $later ~1 me $call
      $ask|a_gente|vamos ~3 $talk ~3 $later
      $talk $later
      mais_tarde|depois a_gente $talk
      me da|da_me|dar uma ligada|ligadinha|chamada
      ^ $begin? outra hora|dia .
      ^ $begin? $begin? $call ~2 $later|as`,
    absent: `
      $they ~1 nao $be .
      $they ~1 nao $be em_casa|aqui|ai|hoje|disponivel|comigo|mais_aqui|$now|nao|moca|moco|senhor*|viu
      ^ ~2 nao $be em_casa|no_momento
      ^ nao $be .
      nao se encontra
      $they ~1 $be ~1 $away
      $they ~1 $be ~1 no|na|em|num|numa|pro|pra ~1 $place
      $they ~1 saiu !do|da|de|no|na
      $they ~1 deu|foi_dar uma saida|saidinha|volta
      $they ~1 viajou
      $they ~1 foi no|na|ao|a|pro|pra|buscar|trabalhar|levar ~1 $place|trabalhar|*
      $they ~1 nao pode ~1 atender|falar
      $they ~1 so|ainda? volta|chega|retorna
      $they ~1 nao chegou|voltou
      $they esqueceu o celular|telefone
      quer|quiser|posso ~2 deixar|anotar ~1 recado
      deixar|anota|anotar um|o recado
      nao tem ninguem em_casa`,
    busy: `
      to|tou|estou|estava|tava|estamos !*ndo_com ~1 dirigindo|ocupad*|trabalhando|almocando|jantando|cozinhando|viajando|dormindo|atendendo
      to|tou|estou ~1 no|na|num|numa|em|dentro_do ~1 $myPlace
      agora|hoje nao da|posso|consigo|vai_dar|rola
      nao da|posso|consigo|vou_poder ~1 falar|conversar|atender|$now
      nao posso|consigo $now
      nao e ~1 uma|um|o ~1 bom|boa|melhor momento|hora
      agora ~1 ruim|pessimo|complicado|dificil
      momento ruim|pessimo`,
    not: `
      eu|a_gente|nos te|lhe|vos? lig*|retorn*
      eu|eu_mesmo|depois_eu lig*|retorn*
      nao|nunca|nem ~3 $call|$toCall
      eu|marido|esposa|filh*|ele|ela|mae|pai|ninguem|voces ~2 nao ~1 liga
      me chamar|chama|chame de
      carro|computador|modem|televisao|tv|celular|som nao? lig*
      me $call o|os|as
      da_entrega|a_entrega|instalacao|boleto|fatura`,
  },
)

const english = rulesOf(
  {
    they: `he she husband wife mother father mom dad mum son daughter brother sister boss roommate secretary grandma grandpa grandmother
      grandfather owner doctor mr mrs ms manager boyfriend girlfriend uncle aunt`,
    away: `asleep sleeping working busy out away traveling travelling driving gone unavailable napping off sick`,
    place: `work school church hospital shower meeting bath bathroom vacation office gym bed doctor doctors store holiday class town
      market beach trip library`,
    myPlace: `meeting work doctor doctors church class hospital dinner lunch car appointment office store shower bed road train bus court
      funeral middle`,
    when: `later back again tomorrow tonight today on at in after next this when some another around before monday tuesday wednesday
      thursday friday saturday sunday please an half first sometime any anytime then between past the_day a_bit a_little around`,
    later: `later tomorrow tonight some_other another different next monday tuesday wednesday thursday friday saturday sunday
      this_afternoon this_evening in_the_morning in_a_bit in_an_hour`,
    begin: 'please so well ok okay yeah no just can could would you maybe look hey uh better and but then or',
    call: 'call ring phone buzz',
  },
  {
    callback: `
      $call me|us $when
      $call me|us .
      ^ $begin? $begin? $begin? $call back
      ^ $begin? $begin? $begin? $call $when
      give|gimme me|us? a|another call|ring|buzz|shout
      try|catch|reach|find|get|hit me|us|him|her up? $when
      try again|back $when
      can|could|may|let|should we|us|you|i ~4 $later
      do|discuss this|it ~2 $later
      talk|speak|chat ~2 $later
      ^ $begin? $later time .
      could|can|would you ~2 $call me|us|back
      want|like|prefer|rather you ~2 $call ~2 $when`,
    absent: `
      $they is|are|was not ~1 home|here|in|available|around|there|in_right_now
      $they is not ~2 .
      $they is|will_be ~2 $away !of_the_contract
      $they is|will_be ~2 at|in|on|to ~2 $place
      $they ~1 just? stepped|went|ran ~1 out|to|away|for
      $they ~1 just? left .
      $they left ~1 for|his|her ~1 $place|phone
      $they can not ~1 come|talk|answer|take|speak
      $they ~1 will_be back|home|here
      $they ~1 comes|gets|come|get ~1 back|home
      $they is not back
      take|leave a message
      not home right_now`,
    busy: `
      i|we am|are !not ~1 driving|busy|working|cooking|swamped|slammed|tied|eating|sleeping|occupied|traveling|travelling
      i am ~1 in|at|on ~3 $myPlace
      in the middle of
      can|could not ~1 talk|speak|do_this ~2 now|at_the_moment|today|.
      not ~2 good|great|best|convenient time|moment
      bad|terrible time|moment
      now is not|bad`,
    not: `
      i|we|he|she|they will|can|could|would ~2 $call
      i|we|they|you called
      do|does|did|never|please not ~2 $call
      never ~2 $call
      call it|that
      order|delivery|payment|bill|contract`,
  },
)

const spanish = rulesOf(
  {
    they: `el ella esposo esposa marido mujer mama papa madre padre hijo hija hermano hermana jefe jefa abuelo abuela tio tia primo prima
      suegra suegro duenom duena titular senor senora doctor doctora licenciado licenciada patron patrona novio novia don dona`,
    away: `trabajando dormido dormida durmiendo ocupado ocupada fuera internado internada manejando conduciendo viajando comiendo enfermo
      enferma banandose de_viaje de_vacaciones descansando ausente`,
    place: `trabajo hospital casa escuela oficina calle junta reunion iglesia clase bano medico doctor mercado banco viaje tienda centro
      gimnasio dentista colegio`,
    myPlace: `trabajo hospital escuela oficina calle junta reunion iglesia clase medico doctor mercado banco camion metro coche carro volante
      trafico cita dentista comida velorio`,
    begin: `por_favor pues y mejor si no oiga oye mire ahorita ahora entonces luego bueno o pero ya me nos al_rato al_ratito manana usted
      hoy senorita despues mas_tarde`,
    callYou: `llameme llamame llamenme marqueme marcame marquenme hableme hablame hablenme busqueme buscame contacteme regreseme
      devuelvame`,
    callMe: 'llame llamen llama llamas marque marquen marca hable hablen habla busque buscan regrese',
    toCall: 'llamar llamarme marcar marcarme hablar hablarme buscarme contactarme llamarnos regresar_la_llamada devolver_la_llamada',
    when: `mas_tarde luego despues otro otra manana lunes martes miercoles jueves viernes sabado domingo el en a al por_la de la dentro
      proxima por_favor a_las como hoy ahorita`,
    later: 'mas_tarde luego despues otro otra manana lunes martes miercoles jueves viernes sabado domingo al_rato al_ratito en_la_tarde',
    talk: 'hablamos hablar platicamos platicar hacerlo vemos verlo conversamos conversar',
  },
  {
    callback: `
      ^ $begin? $begin? $begin? $callYou $when|.
      $callYou $when|otra_vez|de_nuevo
      ^ $begin? $begin? $begin? me|nos $callMe $when|.
      ^ $begin? $begin? $begin? llame|marque|hable $when
      puede|podria|pueden|podrian|puedes|podrias|quiere|prefiero_que ~2 $toCall
      vuelva|vuelvan|vuelve a $toCall
      que me $callMe
      $later $talk
      $talk $later|en_otro
      podemos|podriamos ~3 $later|en_otro_momento
      telefonazo|fonazo
      lo|la|le encuentra|encuentras ~3 $later|hoy|noche
      puede|pueden llamarl*|encontrarl* ~2 $when`,
    absent: `
      $they ~1 no|ya_no esta .
      $they ~1 no esta en_casa|aqui|ahorita|ahora|hoy|disponible
      ^ ~1 no esta .
      no esta en casa .
      no se encuentra
      $they ~1 salio !del|de_la|de_su|en
      ^ salio .
      $they ~1 anda|se_fue de|en|para ~1 *
      $they ~1 anda|esta ~1 $away
      $they ~1 esta en|con ~1 $place|su_mama
      $they no|ya_no puede|puede_ahorita ~1 contestar|hablar|atender|venir
      $they ~1 regresa|vuelve|llega|viene|regresara|volvera
      $they fue a|al|por
      $they olvido|dejo el celular|telefono
      dejar|dejarle|deja ~1 recado|mensaje|razon`,
    busy: `
      estoy !con_ustedes ~1 manejando|conduciendo|ocupad*|trabajando|comiendo|viajando|cocinando|durmiendo
      voy manejando
      estoy en|con ~1 $myPlace
      ahorita|ahora|hoy no puedo
      no puedo ~1 hablar|atender|contestar|ahorita|ahora
      no es ~2 buen|mejor momento|hora
      mal momento
      pillas|agarra|agarras|cogio|agarro ocupad*|fatal|mal`,
    not: `
      yo te|le|les|lo|la llam*|marc*|habl*
      mi|el|ella|nadie|hijo|marido ~2 no me llama
      no|nunca|ni ~3 $callMe|$callYou|$toCall
      le|les|te|lo llamo|marco
      me llama la atencion
      recibo|entrega|factura|pedido|instalacion`,
  },
)

export const requestRules: readonly RequestRules[] = [portuguese, english, spanish]
