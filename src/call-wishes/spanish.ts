// What people called say about the call itself, in Spanish: classes of words, and rules over them as in word-rules.ts.
import { wishRules } from './wish-rules.ts'

export const spanish = wishRules(
  {
    call: `llame llamen llames llameis marque marquen telefonee contacten contacte contactes molesten moleste molestes fastidien importunen busquen
      busque hablen hable llamaran hablaran marcaran`,
    toCall: `llamar llamarme llamarnos molestar molestarme molestarnos contactar contactarme contactarnos marcarme buscarme marcar fastidiar
      fastidiarme importunar importunarme telefonear hablarme`,
    callAny: `llamen llame llames llamar llamarme llamarnos llamando llamandome contacten contacte contactar contactarme contactarnos molesten
      molestarme molestando busquen usen usar uso llamadas llamada contacto contactos`,
    lead: 'quiero queria quisiera deseo que usted ustedes me nos se nadie mas les le ya yo por_favor esten estar',
    place: `a al este ese mi nuestro numero telefono celular movil casa aqui aca por_favor nunca jamas mi_casa senorita senor si entiende no si`,
    time: `hoy ahora ahorita manana tarde temprano tan seguido a_esta* a_esa* en_este_momento en_este_horario en_estos_horarios esta_semana este_mes
      esta_noche esta_tarde por_la de_noche de_madrugada los_domingos el_domingo los_sabados los_lunes los_feriados los_fines el_fin domingos
      antes despues hasta en_el_trabajo al_trabajo en_la_oficina a_la_oficina mientras cuando todos_los_dias por_ahora de_momento
      por_el_momento durante a_las tanto a_cada_rato`,
    remove: `quita quite quiten quitar saca sacar saque saquen elimina elimine eliminen eliminar borra borre borren borrar remueva remuevan remover
      retira retire retiren retirar tacha tache tachen suprima borraran quitaran eliminaran sacaran supriman`,
    removeMe: `quiteme quitenme quitarme quitame saqueme saquenme sacarme sacame elimineme eliminenme borreme borrenme borrarme borrame retireme
      tacheme sacanos quitenos`,
    list: `lista listas base bases registro registros sistema contactos agenda directorio`,
    mine: `mi_nombre mis_datos mi_informacion mi_numero mi_telefono mi_celular mi_movil mi_contacto mi_registro nuestro_numero nuestro_telefono
      este_numero ese_numero este_telefono ese_telefono este_celular`,
    bad: 'antiguo viejo anterior fijo del_pedido de_la_reserva de_la_cita de_la_compra',
    end: 'de_ahi de_alli ya por_favor ahora inmediatamente personales todo todos senorita senorito senor tambien',
    permission: 'autorizacion permiso consentimiento',
    refuse: `autorizo autorice autorizado autorizamos permito permiti permitimos consiento consiente consenti acepto admito estoy_de_acuerdo`,
    want: 'quiero queria deseo quisiera pretendo acepto necesito',
    between: `que me nos mas a para de esta este estas esas esa ese su sus ningun ninguna tipo recibir otra otras nadie ustedes usted con esten estar
      vuelvan vuelva las toda todas todo los tantos tantas dias la_empresa se siga sigan en`,
    line: 'numero telefono celular movil linea chip',
    law: 'ley_de_datos ley_federal ley_de_proteccion ley_de_proteccion_de_datos habeas_data derechos_arco derecho_arco ley_de_datos_personales',
    claim: 'exijo exigir solicito pido ejerzo derecho oposicion cancelar contacten',
    authority:
      'denuncio denunciar denunciare demando demandar policia abogado abogada profeco indecopi sernac justicia denunci*',
    died: 'fallecio murio ha_fallecido ha_muerto esta_muerto esta_muerta es_fallecido es_fallecida fallecido fallecida',
    already: 'ya lamentablemente tambien desgraciadamente',
    stop: 'deje dejen deja dejar dejad pare paren para basta',
    art: 'a el la don dona senor senora ningun ninguna una un',
    shop: `farmacia pizzeria panaderia tienda restaurante oficina taller clinica escuela iglesia hospital hotel salon negocio empresa
      papeleria carniceria consultorio`,
    they: `el ella esposo esposa marido mujer mama papa madre padre hijo hija hermano hermana jefe jefa abuelo abuela tio tia primo prima
      suegra suegro duenom duena titular senor senora doctor doctora licenciado licenciada patron patrona novio novia don dona`,
    away: `trabajando dormido dormida durmiendo ocupado ocupada fuera internado internada manejando conduciendo viajando comiendo enfermo
      enferma banandose de_viaje de_vacaciones descansando ausente`,
    awayAt: `trabajo hospital casa escuela oficina calle junta reunion iglesia clase bano medico doctor mercado banco viaje tienda centro
      gimnasio dentista colegio`,
    myPlace: `trabajo hospital escuela oficina calle junta reunion iglesia clase medico doctor mercado banco camion metro coche carro volante
      trafico cita dentista comida velorio`,
    begin: `por_favor pues y mejor si no oiga oye mire ahorita ahora entonces luego bueno o pero ya me nos al_rato al_ratito manana usted
      hoy senorita despues mas_tarde`,
    callYou: `llameme llamame llamenme marqueme marcame marquenme hableme hablame hablenme busqueme buscame contacteme regreseme
      devuelvame`,
    callMe: 'llame llamen llama llamas marque marquen marca hable hablen habla busque buscan regrese',
    askToCall:
      'llamar llamarme marcar marcarme hablar hablarme buscarme contactarme llamarnos regresar_la_llamada devolver_la_llamada',
    when: `mas_tarde luego despues otro otra manana lunes martes miercoles jueves viernes sabado domingo el en a al por_la de la dentro
      proxima por_favor a_las como hoy ahorita`,
    later:
      'mas_tarde luego despues otro otra manana lunes martes miercoles jueves viernes sabado domingo al_rato al_ratito en_la_tarde',
    talk: 'hablamos hablar platicamos platicar hacerlo vemos verlo conversamos conversar',
  },
  {
    optOut: `
      prohibo que ~3 $call|$toCall
      no les? di mi numero para_que
      no $lead~6 $call $place~6 mas !$time
      no $lead~6 $call $place~6 nunca_mas|nunca|jamas|otra_vez|de_nuevo
      no $lead~5 mas $lead~4 $call !$time
      no $lead~5 me|nos? vuelvan|vuelva|vuelvas a $toCall
      no $lead~5 vuelvan|vuelva a marcar|llamar
      no quiero|queria|quisiera|deseo|que|usted|ustedes|me|nos~5 $call $place~6 .
      nunca mas $lead~4 $call|vuelvan
      $call $place~4 nunca_mas
      ya no me|nos|quiero|que|les|lo|esten~3 $call|molestando|chingando|fastidiando !$time
      $stop de $toCall
      $stop de estar? molestando|llamando|fastidiando
      $stop de estar molest*|llam*|fastidi*
      $remove me? ya|todos|todas|toda|la|los~3 $mine $end~4 .
      $remove me? ya|todos|todas|toda|la|los~3 $mine $end~4 de|del ~2 $list
      $remove ya? mi|este|ese|nuestro numero|telefono|celular|movil|contacto !$bad
      $removeMe de|del ~2 $list|ahi|alli|llamadas
      me|nos puede|pueden|podria|podrian? $remove|eliminen|borren de|del ~2 $list|llamadas
      me|nos $remove de|del ~2 $list
      salir|salirme|eliminado|eliminada|borrado|borrada|retirado de ~2 $list
      darme|deme|denme|dame|me_de|me_den|me_da|quiero de? baja !el|la|mi|del|un
      denme|deme de_baja de|del esas|las|sus? llamadas
      dar|den|de de_baja a? mi|este numero|telefono|celular
      no ~2 $refuse $between~7 $callAny !por_cobrar
      nadie ~1 autorizo $between~7 $callAny
      no ~1 doy|di ~2 $permission $between~5 $callAny
      no|sin tiene|tienen? mi|la|el|ningun~2 $permission $between~5 $callAny
      llam* ~2 sin_mi $permission
      revoco|retiro|revocar|retirar mi|el|la|cualquier~2 consentimiento
      revoco|retiro|revocar mi|el|la|cualquier~2 $permission ~6 $callAny
      no $want mas|volver_a|que~2 ser mas? contactad*|molestad*|llamad*|importunad*|buscad* !ahora|hoy|en_est*|a_est*|manana|por_correo
      no $want que|me|nos|mas|esten|sigan|vuelvan_a|ustedes~5 contacten|contactando|contactarme|molesten|molestando|molestarme|llamando !$time
      no $want|autorizo recibir|mas|ninguna|sus|estas|esas|este|tipo|de|otra|saber|tener~6 llamada|llamadas|contacto|contactos de_ustedes|suyas|comerciales|mas~2 !$time
      dejenme|dejeme|dejame|dejennos|dejanos tranquil*|en_paz
      bloquea|bloquee|bloqueen|bloquear ya|a? mi|este|ese|nuestro $line
      lista robinson
      lista de exclusion|no_llamar|no_llame
      registro nacional? no_llame
      inscrit* ~3 repep
      ya les|te|se_lo? dije|pedi|dicho|he_dicho|he_pedido ~2 que no me|nos? llam*|vuelv*|molest* !$time
      pedi que_no_me|que_no_nos $call|hablaran|llamaran|marcaran
      basta de|con sus|tantas|estas? llamadas
      no mas llamadas
      no|ya_no aguanto|soporto mas? $between~5 llamadas|llamen|llamando|molesten
      harto|harta|cansado|cansada|canse|me_canse|hartos de $between~5 llamadas|llamen|llamando
      paren|para|pare con estas|esas|sus|tantas llamadas
      ya? basta de $between~3 llamadas
      $law ~8 $claim
      $claim ~8 $law
      si me|nos|ustedes~2 vuelven_a_llamar|vuelven_a_llamarme|vuelven_a_marcar|siguen_llamando|siguen_llamandome|siguen_marcando|llaman_otra_vez|insisten ~6 $authority
      $authority ~3 si me|nos? vuelven_a_llamar|vuelven_a_marcar|siguen_llamando|llaman
      olvidense|olvidese|olvida|olvide|olviden|olvidate de? mi numero|telefono|contacto
      derecho de oposicion
      ultima vez que me buscan|llaman|marcan|hablan
      saltese mi numero
      quitar|quitarme ~2 de_las llamadas`,
    notOptOut: `
      no|nunca ~4 $call|$toCall $place~6 mas? $time
      $stop de? ~1 $toCall $place~6 $time
      pon|ponga|pongan|cambie|cambien|cambiar|actualice|actualizar
      otro|nuevo numero
      numero nuevo
      por ahora|el_momento
      de momento
      antes|despues de
      hasta las
      fuera de
      durante
      de madrugada
      grab*
      por correo|email
      robaron|robado|robo
      perdi
      nadie contest*
      esperar|esperando
      quiero|como|necesito|pude|voy_a bloquear
      hijo|hija|el|ella|jefe ~2 no ~2 $call|llama|deja
      no deja de
      no olvide
      de baja el|la|mi servicio|linea|contrato|plan|cuenta|tarjeta
      senora digame`,
    asks: `
      por_que|cuando|van_a|va_a|quien|acaso`,
    wrongPerson: `
      marco|marcaron a? otro numero
      ella cambio de numero
      numero|telefono esta? equivocado !de
      equivoco|equivocado|confundio|confundido|equivocada|equivocaste|equivocaron de|el numero|persona|telefono|casa
      esta equivocad* de|este_no
      esta equivocad* este no es
      marco|marcaron|marcaste|marcando mal|el_numero_equivocado
      persona equivocada
      no soy yo !quien|el_que|la_que|solo|sola
      no soy esa|la persona !adecuada|indicada|correcta|encargada
      no soy la_persona que_busca
      aqui|aca no vive|reside|es .
      no|ya_no vive|trabaja aqui|aca|en_esta|en_este
      no hay nadie aqui|aca? con_ese|que_se_llame|llamad*
      nadie con ese nombre
      no conozco a ese|esa|nadie|ningun|ninguna ~1 persona|senor|senora|.
      no lo|la conozco .
      ni lo|la conozco
      este|ese numero|telefono|celular no|ya_no es|pertenece de|del|a|suyo|el
      este|ese|aqui|ya_no no_es|ya_no_es el|su? numero|telefono|celular de|del
      no es su numero
      error de numero
      tenia esta|este linea|numero|telefono antes
      ya_no tiene este numero|telefono
      aqui|esto|esta es una|un $shop
      preguntando por una|un|la|el? * ~1 no_soy
      no soy|me_llamo|es|conozco|hay|trabaja $art~3 @
      no vive $art~2 @
      aqui|aca no vive|trabaja ningun|ninguna
      llaman preguntando por !mi`,
    notWrongPerson: `
      di|dio|anote|anoto|puse|puso|escribi|marque|pedido|tarjeta|cuenta|factura|contrato|direccion|poliza|reserva|registre|apunte|contrasena|documento
      @ ~2 que|quien
      recibo`,
    gone: `
      el|ella|titular|dueno|duena|senor|senora $already~2 $died
      esa|ese|esta|este|el|la persona|senor|senora $already~2 $died
      ^ $already|mire|no|senorita|senor~3 fallecio|murio ya|hace|el|en|recientemente|ayer
      anos|meses de muert*
      compre|comprar|adquiri|recibi este|esta|ese|esa chip|linea|numero !de
      este|esta|ese|esa numero|chip|linea es nuevo|nueva .
      este|esta|ese|esa numero|chip|linea es nuevo|nueva lo|la|senor*|acabo|compre
      este|esta|ese|esa $line ahora es mio|mia
      este|esta|ese|esa $line es mio|mia ahora|desde|hace
      ahora este|esta|ese|esa $line es mio|mia
      este|esta|ese|esa $line era|pertenecia|fue de|a otro|otra|alguien|su_antiguo
      este numero ~1 lo_acaban_de_dar|me_lo_acaban
      numero me lo_acaban_de_dar
      nuevo|nueva|antiguo|antigua dueno|duena|propietari*|titular de este|esta|ese|esa|la|el $line
      @ $already~2 $died
      no existe|trabaja|vive|hay ningun|ninguna|aqui|mas~2 @`,
    isMe: `
      <no soy yo
      digame
      con el|ella habla
      error mio`,
    handsOver: `
      se|te|le lo|la paso|comunico|pongo
      voy_a llamarl*|pasarl*|buscarl*|avisarle|ver_si
      quiere|puedo que|dejar|tomar|anotar
      un momento|momentito|segundo|minuto
      el|ella ya|no? vuelve|viene|esta|salio|llega|regresa
      soy su|la|el espos*|mujer|marido|madre|padre|mama|papa|hij*|herman*|secretari*|asistente|novi*`,
    callback: `
      ^ $begin? $begin? $begin? $callYou $when|.
      $callYou $when|otra_vez|de_nuevo
      ^ $begin? $begin? $begin? me|nos $callMe $when|.
      ^ $begin? $begin? $begin? llame|marque|hable $when
      puede|podria|pueden|podrian|puedes|podrias|quiere|prefiero_que ~2 $askToCall
      vuelva|vuelvan|vuelve a $askToCall
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
      ^ salio a
      $they ~1 anda|se_fue de|en|para ~1 *
      $they ~1 anda|esta ~1 $away
      $they ~1 esta en|con ~1 $awayAt|su_mama
      $they no|ya_no puede|puede_ahorita ~1 contestar|hablar|atender|venir
      $they ~1 regresa|vuelve|llega|viene|regresara|volvera
      ^ llega|regresa|vuelve como|hasta|a_las|en
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
      no tengo tiempo
      pillas|agarra|agarras|cogio|agarro ocupad*|fatal|mal`,
    notRequest: `
      yo te|le|les|lo|la llam*|marc*|habl*
      mi|el|ella|nadie|hijo|marido ~2 no me llama
      no|nunca|ni ~3 $callMe|$callYou|$askToCall
      le|les|te|lo llamo|marco
      me llama la atencion
      recibo|entrega|factura|pedido|instalacion`,
  },
)
