// What mailboxes, menus and call-screening assistants say in three languages. Pure.
import { wordsIn } from '../turn/backchannel.ts'

// Without accents and punctuation, as the text when it is matched: "can't" is "can t".

/** Only a machine says these about the call in progress … */
const mailbox = [
  '(apos|ao ouvir|depois de ouvir) (o |a )?(sinal|bipe?|beep|tom)|depois do (bipe?|beep|tom|sinal (deix|grav|fal|dig)[a-z]*)|(deix|grav|fal)[a-z]* .{0,40}depois do sinal|caixa (postal|de mensage(m|ns))|correio de voz|secretaria eletronica',
  '(grave|gravar) (a |o |aqui )?(sua|seu|uma|um) (mensagem|recado)|(mensagem|recado) (foi|sera|esta sendo) (gravad|enviad)[ao]',
  '(desligado|indisponivel) ou (esta |encontra se )?fora d[ae] area|fora d[ae] area de (cobertura|servico)|(numero|telefone|celular) (chamado|discado|que (voce )?(ligou|discou|chamou))',
  '(este|esse) (celular|telefone|numero) (esta|nao)|(vivo|claro|tim|oi|operadora) informa|desligado ou sem sinal|(esta|encontra se) temporariamente|numero .{0,40}(indisponivel|inexistente|nao existe|nao pode receber)|programado para nao receber|nao (esta )?recebe(ndo)? (chamadas|ligacoes)',
  '(after|at|hear|wait for) the (tone|beep)|voice ?mail|mail ?box|answering (machine|service)|record (your|a) message|please record|(mobile|cellular|wireless) (customer|subscriber)',
  '(number|person|party|customer|subscriber) you( are| re| have| ve)? (called|calling|dial(l?ed|l?ing)|trying to (reach|call)|reached) (is|has|can|cannot)|automated voice|automatic voice',
  'cannot be completed|been disconnected|no longer in service|voice messag|(nobody|no one) (can|is available to) take|as dial(l?ed)|leave your name and (your )?(phone )?number|not (available|able) to take your call|when you (are |have |re )?(finished|done) recording|you may hang up',
  '(despues|al (terminar|oir|escuchar)|tras|luego) (de )?(oir |escuchar )?(el |del |la )?(tono|senal|bip|pitido)|buzon (de voz|de mensajes)|casilla de (voz|mensajes)|(correo|mensaje) de voz',
  'contestador(a)?|transferid[ao] al buzon|(movistar|telcel|claro|entel|orange|vodafone) (le |te )?informa|grab[ea] (aqui )?(su|tu|un|el) (mensaje|recado)|apagado o (se encuentra |esta )?fuera|fuera del? area de (servicio|cobertura)',
  '(numero|telefono|usuario|persona|abonado|cliente|suscriptor) (al|a la|a|con el|con la) (que|cual|quien) (usted )?(llama|llamas|ha llamado|has llamado|marco|intenta|desea|esta llamando)|(numero|telefono|suscriptor) (marcado|que (usted )?(marco|ha marcado))',
]
/** … unless somebody tells what happened before. */
const story = [
  'liguei|ligaram|tentei|ouvi|escutei|recebi|deixaram|deixou|(da|dava|deu|cai|caindo|caia|sempre|ontem|outro) (na |em |a |dia )?(caixa|correio)',
  'i (got|heard|called|listened|saw|just got|received)|you (left|called) (me|us|a|my|again)|they (left|called)',
  'llame|llamaron|escuche|recibi|dejaron|dejaste|dejo usted',
]
/** Mailboxes say these, and people too, as an offer or about another channel. */
const request = [
  '(deixe|deixa|deixem) (ai |aqui )?((a|o) )?((sua|seu|uma|um|teu|tua) )?(mensagem|recado|nome)|(posso|podemos|possa|podendo|pode|consigo|puder) (te |lhe |o |a )?atender.{0,60} (deix[ea]|retorn|ligo)',
  'leave (me |us )?(a|your) (short |brief |detailed )?(message|name)|(can t|cannot|can not|unable to|not able to) (come to the phone|get to the phone|take your call|answer (your|the|my) (call|phone))|(get back to you|return your call|call you back) as soon as',
  '(deje|deja|dejen|dejanos|dejenos|dejame|dejeme) (aqui )?((su|tu|un|una|el|sus|tus) )?(mensaje|recado|nombre|datos)|(puedo|podemos) (contestar|atender).{0,60} (dej[ae]|devol|llamar)',
]
const offer = [
  '(quer|queria|gostaria|posso|prefere|vai) (de |que eu |que ele |que ela )?(deixa|anota|grava|passa|dar)|comigo|eu (anoto|passo|aviso|falo|digo)|whats|zap|whatsapp',
  '(would|do|did|want|like|wanna) (you )?(like )?(to )?leave|(can|could|may|shall|should) i (take|leave|get)|take a message|i (ll|will) (tell|let|pass)|whatsapp|text me',
  '(quiere|quieres|desea|deseas|gustaria|puede|puedo|prefiere) (que )?(dejar|dejarle|deje|tomar|darle)|conmigo|yo le (aviso|digo|paso)',
]
const menu = [
  '(digite|disque|tecle|aperte|pressione|marque) (a |o |uma |sua )?(tecla |numero |opcao )?([0-9]|zero|um|dois|tres|asterisco|jogo da velha)',
  'para .{1,60} (digite|disque|tecle|aperte|pressione)|(digite|tecle|disque) (o |a |seu |sua )?(ramal|cpf|opcao|numero)',
  '(press|dial) ([0-9]|one|two|three|zero|star|pound|the (star|pound))|(press|enter|dial) (your|the) (extension|account|number)',
  'para .{1,60} (marque|pulse|oprima|presione|digite)|(marque|pulse|oprima|presione) (el |la |su )?(tecla |numero )?([0-9]|uno|dos|tres|cero)',
]
/** An assistant that asks on behalf of a person, who listens or reads along. */
const screening = [
  '(diga|fale|informe|grave) (o )?seu nome e (o )?(motivo|por ?que|assunto)|(motivo|assunto) d[ae] (sua )?(ligacao|chamada)|(triagem|filtro|filtragem) de (chamadas|ligacoes)|ver(ificar)? se (esta pessoa|a pessoa|ela|ele) (esta|pode)',
  '(state|say|record|give) your name and (the )?(reason|why|purpose)|(reason for|purpose of) your call|why you( are| re) calling|call screening|screening service|your name .{0,60}connect you|see if (this person|they|he|she) (is|are) available',
  '(diga|di|indique|grabe) su nombre y (el )?(motivo|por que|asunto)|motivo de (su|la|tu) llamada|filtr(o|ado) de llamadas|(ver|comprobar|comprobare) si (esta|la) persona (esta|puede)',
]
const anyOf = (words: readonly string[]) => new RegExp(`\\b(${words.join('|')})\\b`)
const isMailbox = anyOf(mailbox)
const isStory = anyOf(story)
const isRequest = anyOf(request)
const isOffer = anyOf(offer)
const isMenu = anyOf(menu)
const isScreening = anyOf(screening)
/** Enough for a greeting; bounds the cost of the regular expressions. */
const MAX_LETTERS = 1000

/** Who speaks, judged by the words: `human` for an assistant who screens calls for one. Null: the words do not tell. */
export function answeredByWords(text: string): 'human' | 'machine' | 'ivr' | null {
  const said = wordsIn(text.slice(0, MAX_LETTERS)).join(' ')
  if (isScreening.test(said)) return 'human'
  if (isMailbox.test(said) && !isStory.test(said)) return 'machine'
  if (isRequest.test(said) && !isOffer.test(said) && !isStory.test(said)) return 'machine'
  return isMenu.test(said) ? 'ivr' : null
}
