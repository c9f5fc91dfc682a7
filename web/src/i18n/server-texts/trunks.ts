// Trunk states and diagnostic details: the server's English with translations into Portuguese and Spanish; {names} are
// placeholders.
import type { ServerTexts } from '../server-text.ts'

export const trunksServerTexts: ServerTexts = {
  'the name leads to no address': ['o nome não leva a nenhum endereço', 'el nombre no lleva a ninguna dirección'],
  'no answer in time': ['sem resposta a tempo', 'sin respuesta a tiempo'],
  'no answer from {address}': ['sem resposta de {address}', 'sin respuesta de {address}'],
  'the connection broke': ['a conexão caiu', 'la conexión se cortó'],
  'connection refused': ['conexão recusada', 'conexión rechazada'],
  'socket closed': ['conexão encerrada', 'conexión cerrada'],
  aborted: ['interrompido', 'interrumpido'],
  '{host} does not answer': ['{host} não responde', '{host} no responde'],
  'This trunk {problem}': ['Este tronco {problem}', 'Esta troncal {problem}'],
  'leads elsewhere than where its password was given for: send the password again': [
    'leva a outro servidor que não o da senha: informe a senha de novo',
    'lleva a un servidor distinto del de la contraseña: escríbala de nuevo',
  ],
  'it leads elsewhere than where its password was given for: send the password again': [
    'leva a outro servidor que não o da senha: informe a senha de novo',
    'lleva a un servidor distinto del de la contraseña: escríbala de nuevo',
  ],
  'it has no host': ['não tem endereço', 'no tiene dirección'],
  'it is switched off': ['está desativado', 'está desactivado'],
  'asking the registrar': ['consultando o registrar', 'consultando al registrador'],
  'for {seconds} s': ['por {seconds} s', 'durante {seconds} s'],
  '{host} port {port}, {transport}, authMode register': [
    '{host}, porta {port}, {transport}, com registro',
    '{host}, puerto {port}, {transport}, con registro',
  ],
  '{host} port {port}, {transport}, authMode {mode}': [
    '{host}, porta {port}, {transport}, autenticação {mode}',
    '{host}, puerto {port}, {transport}, autenticación {mode}',
  ],
  '{host}, {transport}, authMode register': ['{host}, {transport}, com registro', '{host}, {transport}, con registro'],
  '{host}, {transport}, authMode {mode}': [
    '{host}, {transport}, autenticação {mode}',
    '{host}, {transport}, autenticación {mode}',
  ],
  '{words}: no challenge that can be answered': [
    '{words}: o método de autenticação não é conhecido',
    '{words}: el método de autenticación no se conoce',
  ],
  '{words}: a password is asked for (realm {realm}), and the trunk has none': [
    '{words}: o servidor pede senha (realm {realm}) e o tronco não tem',
    '{words}: el servidor pide contraseña (realm {realm}) y la troncal no tiene',
  ],
  '{words}: the realm is {realm}, the trunk\'s is "{own}"': [
    '{words}: o realm é {realm} e o do tronco é "{own}"',
    '{words}: el realm es {realm} y el de la troncal es "{own}"',
  ],
  '{words}, without a challenge': ['{words}, sem pedir senha', '{words}, sin pedir contraseña'],
  '{words} after our answer to the challenge': [
    '{words} depois do envio da senha',
    '{words} después de enviar la contraseña',
  ],
  'the trunk does not register (authMode {mode})': [
    'o tronco não se registra (autenticação {mode})',
    'la troncal no se registra (autenticación {mode})',
  ],
  'REGISTER is not answered: {detail}': [
    'REGISTER fica sem resposta: {detail}',
    'REGISTER queda sin respuesta: {detail}',
  ],
  '{words}, with our password': ['{words}, com a nossa senha', '{words}, con nuestra contraseña'],
  '{words}, unasked': ['{words}, sem pedir senha', '{words}, sin pedir contraseña'],
  'our answer to the challenge of a call was accepted': [
    'a senha foi aceita em uma chamada',
    'la contraseña se aceptó en una llamada',
  ],
  'our answer to its challenge was accepted': ['a senha foi aceita', 'la contraseña se aceptó'],
  'OPTIONS was not answered': ['OPTIONS ficou sem resposta', 'OPTIONS quedó sin respuesta'],
  'OPTIONS is answered without a challenge; a call would show more': [
    'OPTIONS é respondido sem pedir senha; uma chamada mostraria mais',
    'OPTIONS se responde sin pedir contraseña; una llamada mostraría más',
  ],
  'OPTIONS is answered: {answer}': ['OPTIONS respondido: {answer}', 'OPTIONS respondido: {answer}'],
  'OPTIONS is not answered (optionsPing should be off)': [
    'OPTIONS não é respondido (desative optionsPing)',
    'OPTIONS no se responde (desactive optionsPing)',
  ],
  '{user} rings, and nobody answers': ['{user} chama, e ninguém atende', '{user} suena y nadie contesta'],
  'INVITE is not answered: {detail}': ['INVITE fica sem resposta: {detail}', 'INVITE queda sin respuesta: {detail}'],
  silence: ['silêncio', 'silencio'],
  '{words}; we offer {ours}; the peer has {theirs}': [
    '{words}; oferecemos {ours}; o outro lado tem {theirs}',
    '{words}; ofrecemos {ours}; el otro lado tiene {theirs}',
  ],
  '{words}; we offer {ours}; the peer does not tell what it has': [
    '{words}; oferecemos {ours}; o outro lado não diz o que tem',
    '{words}; ofrecemos {ours}; el otro lado no dice qué tiene',
  ],
  'the trunk is not for outbound calls': ['o tronco não faz chamadas', 'la troncal no hace llamadas'],
  'answered after {ms} ms': ['atendida depois de {ms} ms', 'contestada después de {ms} ms'],
  '{user} answered after {ms} ms': ['{user} atendeu depois de {ms} ms', '{user} contestó después de {ms} ms'],
  '{codec} (number {number}, {ptime} ms{encryption})': [
    '{codec} (número {number}, {ptime} ms{encryption})',
    '{codec} (número {number}, {ptime} ms{encryption})',
  ],
  '{codec} (number {number}, {ptime} ms)': [
    '{codec} (número {number}, {ptime} ms)',
    '{codec} (número {number}, {ptime} ms)',
  ],
  'it {problem}': ['{problem}', '{problem}'],
  'the peer hung up {when}': ['o outro lado desligou {when}', 'el otro lado colgó {when}'],
  'there was no time left to try it': ['não houve tempo para testar', 'no hubo tiempo para probarlo'],
  'the peer hung up when it was put on hold{why}': [
    'o outro lado desligou ao ser colocado em espera{why}',
    'el otro lado colgó al ponerlo en espera{why}',
  ],
  'the peer hung up before our tone had come back{why}': [
    'o outro lado desligou antes de o nosso tom voltar{why}',
    'el otro lado colgó antes de que volviera nuestro tono{why}',
  ],
  'the peer hung up when it was put on hold': [
    'o outro lado desligou ao ser colocado em espera',
    'el otro lado colgó al ponerlo en espera',
  ],
  'the peer hung up before our tone had come back': [
    'o outro lado desligou antes de o nosso tom voltar',
    'el otro lado colgó antes de que volviera nuestro tono',
  ],
  '{sent} packets sent, {received} received': [
    '{sent} pacotes enviados, {received} recebidos',
    '{sent} paquetes enviados, {received} recibidos',
  ],
  "our tone came back, although the peer's SDP says {address} ({counted})": [
    'o nosso tom voltou, embora o SDP do outro lado diga {address} ({counted})',
    'nuestro tono volvió, aunque el SDP del otro lado dice {address} ({counted})',
  ],
  'our tone came back ({counted})': ['o nosso tom voltou ({counted})', 'nuestro tono volvió ({counted})'],
  "the peer's SDP says {address}, which cannot be reached from here; {counted}": [
    'o SDP do outro lado diz {address}, que não é acessível daqui; {counted}',
    'el SDP del otro lado dice {address}, que no es accesible desde aquí; {counted}',
  ],
  'nothing came at all; {counted}': ['nada chegou; {counted}', 'no llegó nada; {counted}'],
  'audio came, but not ours; {counted}': [
    'chegou áudio, mas não o nosso; {counted}',
    'llegó audio, pero no el nuestro; {counted}',
  ],
  'the trunk sends digits as tones in the audio': [
    'o tronco envia as teclas como tons no áudio',
    'la troncal envía las teclas como tonos en el audio',
  ],
  'SIP INFO is accepted': ['SIP INFO é aceito', 'se acepta SIP INFO'],
  'the peer refuses digits by SIP INFO: set dtmfMode to auto': [
    'o outro lado recusa teclas por SIP INFO: use dtmfMode auto',
    'el otro lado rechaza las teclas por SIP INFO: use dtmfMode auto',
  ],
  'the peer does not take digits by RFC 4733, so they go as tones in the audio': [
    'o outro lado não aceita teclas por RFC 4733; elas vão como tons no áudio',
    'el otro lado no acepta teclas por RFC 4733; van como tonos en el audio',
  ],
  'RFC 4733 is agreed (number {number})': [
    'RFC 4733 combinado (número {number})',
    'RFC 4733 acordado (número {number})',
  ],
  'the peer refuses to {what} ({answer})': [
    'o outro lado recusa ({what}): {answer}',
    'el otro lado rechaza ({what}): {answer}',
  ],
  'the answer to our {what} cannot be used: {detail}': [
    'a resposta ({what}) não pode ser usada: {detail}',
    'la respuesta ({what}) no se puede usar: {detail}',
  ],
  'after the hold the audio stays {direction}': [
    'depois da espera o áudio continua {direction}',
    'después de la espera el audio sigue {direction}',
  ],
  'a re-INVITE holds and resumes the call': [
    'um re-INVITE põe a chamada em espera e a retoma',
    'un re-INVITE pone la llamada en espera y la reanuda',
  ],
  '{seconds} s, refreshed by them': ['{seconds} s, renovado pelo outro lado', '{seconds} s, lo renueva el otro lado'],
  '{seconds} s, refreshed by us': ['{seconds} s, renovado por nós', '{seconds} s, lo renovamos nosotros'],
  'the peer has none, which is fine': [
    'o outro lado não usa; está certo assim',
    'el otro lado no lo usa; está bien así',
  ],
  'switched off in the trunk': ['desativado no tronco', 'desactivado en la troncal'],
  '{name} leads to {addresses}': ['{name} leva a {addresses}', '{name} lleva a {addresses}'],
  '{name} leads to no address ({code})': [
    '{name} não leva a nenhum endereço ({code})',
    '{name} no lleva a ninguna dirección ({code})',
  ],
  'no NAPTR, SRV, A or AAAA record': ['sem registro NAPTR, SRV, A ou AAAA', 'sin registro NAPTR, SRV, A o AAAA'],
  'SIP_HOST is {host}, and the trunk is at {address}': [
    'SIP_HOST é {host}, e o tronco está em {address}',
    'SIP_HOST es {host} y la troncal está en {address}',
  ],
  'no place to ask': ['nenhum endereço para testar', 'ninguna dirección que probar'],
  '{place}: the certificate is not accepted: {problem}': [
    '{place}: o certificado não é aceito: {problem}',
    '{place}: no se acepta el certificado: {problem}',
  ],
  '{place} answers a socket of another port, but not our SIP port': [
    '{place} responde a outra porta, mas não à nossa porta SIP',
    '{place} responde a otro puerto, pero no a nuestro puerto SIP',
  ],
  '{place}: {problem}; {other} speaks SIP': [
    '{place}: {problem}; {other} fala SIP',
    '{place}: {problem}; {other} habla SIP',
  ],
  'no answer': ['sem resposta', 'sin respuesta'],
  '{place}: the port is closed; neither is SIP at 5060 or 5061': [
    '{place}: a porta está fechada; em 5060 e 5061 também não há SIP',
    '{place}: el puerto está cerrado; en 5060 y 5061 tampoco hay SIP',
  ],
  '{place}: the TLS handshake fails ({problem})': [
    '{place}: a negociação TLS falha ({problem})',
    '{place}: la negociación TLS falla ({problem})',
  ],
  '{place}: the network says {problem}': ['{place}: a rede diz {problem}', '{place}: la red dice {problem}'],
  '{place}: it says nothing': ['{place}: nenhuma resposta', '{place}: ninguna respuesta'],
  'the peer does not report the address it sees us at': [
    'o outro lado não informa o endereço em que nos vê',
    'el otro lado no informa la dirección en que nos ve',
  ],
  'a NAT changes our port {from} to {to}: forward SIP_PORT and RTP_PORTS to this machine': [
    'um NAT troca a nossa porta {from} por {to}: redirecione SIP_PORT e RTP_PORTS para esta máquina',
    'un NAT cambia nuestro puerto {from} por {to}: redirija SIP_PORT y RTP_PORTS a esta máquina',
  ],
  'the peer sees us at {address}, which is what we advertise': [
    'o outro lado nos vê em {address}, o mesmo que anunciamos',
    'el otro lado nos ve en {address}, lo mismo que anunciamos',
  ],
  'the peer sees us at {address}, but our Contact and SDP say {told}': [
    'o outro lado nos vê em {address}, mas o nosso Contact e o SDP dizem {told}',
    'el otro lado nos ve en {address}, pero nuestro Contact y el SDP dicen {told}',
  ],
  'not tried: a step before it failed': [
    'não testado: uma etapa anterior falhou',
    'sin probar: falló un paso anterior',
  ],
}
