import { splitIdentifier } from './category.ts';

/** A verb by which a tool says that it changes something, and where it says it. */
export interface ChangingVerb {
  readonly verb: string;
  readonly where: 'name' | 'description';
}

/** What a tool says about itself in words. */
export interface WordedTool {
  /** Its name on its own server. */
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

/** Returns the imperative and the third person of English verbs. */
export const verbForms = (verbs: string): Set<string> =>
  new Set(
    verbs
      .split(' ')
      .flatMap((verb) => [verb, /(?:sh|ch|ss|x)$/.test(verb) ? `${verb}es` : `${verb}s`, replaceFinalYByIes(verb)]),
  );

const replaceFinalYByIes = (verb: string): string => (/[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : verb);

/** Verbs of tools that look at things, or only say what a change would do. The first verb of a name decides. */
const lookingVerbs = verbForms(
  'list get read show view describe fetch retrieve return display enumerate search find query lookup browse inspect check verify validate ' +
    'test compare diff count preview simulate estimate plan explain suggest analyze calculate compute can is has whether would dry recall lint',
);

/** Verbs that write, send, destroy or spend, and are hardly anything else. */
const plainVerbs = verbForms(
  'delete remove erase purge wipe destroy truncate uninstall terminate kill revoke cancel discard unsubscribe ' +
    'update edit modify rename overwrite append upsert insert save upload deploy enable disable activate deactivate register unregister ' +
    'approve reject assign restore rollback revert undo create write send notify submit publish tweet broadcast invite ' +
    'pay buy refund withdraw checkout donate sell subscribe provision',
);

/** Verbs whose forms are other words too: they count before an article, a pronoun or a number. */
const doubtfulVerbs = verbForms(
  'add drop clear reset set put patch post store move replace merge archive lock unlock mark order book charge transfer trade ' +
    'purchase schedule share forward reply message email call grant rotate install execute make',
);
const determiners = new Set(
  'a an the your this that these one all any every each new some my its his her their our it them money funds'.split(
    ' ',
  ),
);
/** Words after which another verb follows. */
const joining = new Set(['and', 'or', 'then']);

/** What a tool that creates, writes, adds or makes may only return: nothing is kept. */
const returned =
  /\b(?:chart|diagram|plot|graph|image|picture|thumbnail|uuid|ids?|hash|digest|password|summar|report|text|prompt|quer|url|link|qr|code|plan|outline|list|table|embedding|colou?rs?|palette|signature|numbers?|sum|days?|hours?|minutes?|months?|dates?|times?|vectors?|matri|regex|pattern|poem|story|sentence|answer|random|sample|mock|snippet)/i;
const making = verbForms('create write add make insert put set replace append merge');

/** Verbs that write, send, destroy or spend, as descriptions begin in other languages. */
const foreignVerbs = new Set(
  [
    'löscht lösche löschen entfernt entfernen sendet senden versendet versenden verschickt verschicken erstellt erstellen aktualisiert aktualisieren',
    'ändert ändern speichert speichern überweist überweisen bestellt bestellen kauft kaufen bezahlt bezahlen storniert stornieren',
    'supprime supprimer efface effacer envoie envoyer crée créer modifie modifier enregistre enregistrer paie payer achète acheter annule annuler',
    'elimina eliminar borra borrar envía enviar crea crear actualiza actualizar modifica modificar guarda guardar paga pagar compra comprar cancela cancelar',
    'exclui excluir apaga apagar envia cria criar atualiza atualizar salva salvar',
    'eliminare cancella cancellare invia inviare creare aggiorna aggiornare modificare salvare acquista acquistare pagare',
    'verwijdert verwijderen verstuurt versturen verzendt verzenden wijzigt wijzigen bewaart bewaren betaalt betalen',
    'usuwa usuń usunąć wysyła wyślij wysłać tworzy utwórz utworzyć aktualizuje zapisuje',
    'удаляет удалить отправляет отправить создаёт создает создать обновляет обновить изменяет изменить сохраняет сохранить оплачивает оплатить покупает купить',
  ].flatMap((verbs) => verbs.split(' ')),
);
/** The same in Chinese, Japanese and Korean: anywhere in the first sentence, unless it is about what was done before. */
const eastAsianVerbs =
  /(?<![已未])(?:删除|刪除|移除|清空|发送|發送|创建|創建|新建|更新|修改|上传|上傳|发布|發佈|购买|購買|支付|转账|轉帳|取消|削除|送信|作成|変更|投稿|購入|支払|삭제|전송|보내|생성|수정|변경|구매|결제|취소)(?!的|された|済み|된)/u;
const eastAsianLooking =
  /^(?:获取|獲取|查询|查詢|列出|返回|查看|读取|讀取|搜索|取得|一覧|表示|検索|確認|조회|검색|목록)/u;

/**
 * Returns the verb by which the name of a tool, or the beginning of its description, says that it writes, sends, destroys or spends; null
 * if it says nothing of the kind. `get_deleted_items`, `list_sent_mails` and `preview_delete` only read.
 */
export const findChangingVerbOrNull = ({ name, title = '', description = '' }: WordedTool): ChangingVerb | null => {
  const named = findVerbInNameOrNull(splitIdentifier(name), `${name} ${title} ${description}`);
  if (named === 'looks') return null;
  const described = named === null ? findLeadingVerbOrNull(description) : null;
  if (named !== null) return { verb: named.verb, where: 'name' };
  return described === null ? null : { verb: described, where: 'description' };
};

/** Returns the verb of a name that changes something; `looks` if its first verb looks at things and no other is joined to it. */
function findVerbInNameOrNull(words: readonly string[], text: string): { readonly verb: string } | 'looks' | null {
  let looks = false;
  for (const [index, word] of words.entries()) {
    const isJoined = joining.has(words[index - 1] ?? '');
    if (!looks || isJoined) {
      if (plainVerbs.has(word) && !onlyReturns(word, text)) return { verb: word };
      if (lookingVerbs.has(word)) looks = true;
    }
  }
  return looks ? 'looks' : null;
}

const onlyReturns = (verb: string, text: string): boolean =>
  making.has(verb) && returned.test(text.slice(0, 300).replaceAll(/[_-]/g, ' '));

/** Returns the verb with which a description begins, if it changes something; also one that `and` or `or` joins to the first. */
function findLeadingVerbOrNull(description: string): string | null {
  const sentence = (description.trim().split(/[.!?。！？\n]/u, 1)[0] ?? '').toLowerCase();
  const words = (sentence.match(/[\p{L}']+/gu) ?? []).slice(0, 12);
  const start = words.findIndex((word) => !introductions.has(word));
  const [first = '', second = ''] = words.slice(Math.max(0, start));
  if (isChanging(first, second, sentence)) return first;
  const joined = words.findIndex((word, index) => index > start && index < start + 4 && joining.has(word));
  const [later = '', after = ''] = joined < 0 ? [] : words.slice(joined + 1);
  if (isChanging(later, after, sentence)) return later;
  if (foreignVerbs.has(first)) return first;
  return eastAsianLooking.test(sentence) ? null : (eastAsianVerbs.exec(sentence)?.[0] ?? null);
}

const isChanging = (verb: string, next: string, sentence: string): boolean =>
  (plainVerbs.has(verb) || (doubtfulVerbs.has(verb) && determiners.has(next))) && !onlyReturns(verb, sentence);

/** Words before the verb of a description. */
const introductions = new Set(
  'this tool a an the function that which to use can will lets allows allow you it permanently immediately safely'.split(
    ' ',
  ),
);
