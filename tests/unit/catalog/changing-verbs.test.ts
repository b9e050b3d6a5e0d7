import { describe, expect, test } from 'vitest';
import { findChangingVerbOrNull } from '#core/catalog/changing-verbs.ts';
import { deriveEffect } from '#core/catalog/effect.ts';

describe('a tool says that it changes something', () => {
  test.each([
    ['delete_order', 'Deletes an order.'],
    ['deleteOrder', ''],
    ['order_cancel', 'By its number.'],
    ['user-remove', undefined],
    ['send_email', 'Sends an email to a customer.'],
    ['get_or_create_user', 'Looks a user up, or makes one.'],
    ['read_and_delete', 'Reads a message and deletes it.'],
    ['create_order', 'Creates an order for a customer.'],
    ['orders', 'Cancel an order.'],
    ['order_tool', 'This tool permanently deletes records.'],
    ['mailer', 'Allows you to send messages.'],
    ['pizza', 'Orders a pizza to the given address.'],
    ['bank', 'Transfers money between accounts.'],
    ['calendar', 'Books the room.'],
    ['lamp', 'Sets the brightness of a lamp.'],
    ['cleanup', 'Finds old files and deletes them.'],
    ['wipe_disk', 'Wipes a disk.'],
    ['pay_invoice', 'Pays an invoice.'],
    ['auftrag', 'Löscht einen Auftrag.'],
    ['nachricht', 'Sendet eine Nachricht an den Kunden.'],
    ['commande', 'Supprime une commande du client.'],
    ['correo', 'Envía un correo al cliente.'],
    ['pedido', 'Exclui um pedido.'],
    ['ordine', 'Elimina un ordine.'],
    ['bestelling', 'Verwijdert een bestelling.'],
    ['zakaz', 'Удаляет заказ.'],
    ['dingdan', '删除一个订单。'],
    ['chumon', '注文を削除します。'],
    ['jumun', '주문을 삭제합니다.'],
  ])('by %s: %s', (name, description) => {
    expect(findChangingVerbOrNull({ name, description })).not.toBeNull();
    expect(deriveEffect({ name: `s/${name}`, description, annotations: { readOnlyHint: true } })).toBe('unknown');
  });
});

describe('a tool only reads', () => {
  test.each([
    ['get_deleted_items', 'Lists items that were deleted.'],
    ['list_sent_mails', 'Lists the mails that were sent.'],
    ['preview_delete', 'Shows what a deletion would remove.'],
    ['list_updates', 'Lists updates of a package.'],
    ['check_delete_permission', 'Says whether a user may delete a file.'],
    ['can_send', ''],
    ['order_status', 'Status of an order.'],
    ['orders', 'Orders of a customer.'],
    ['books', 'Books in the library.'],
    ['settings', 'Set of values that are in force.'],
    ['create_chart', 'Creates a chart and returns it as an image.'],
    ['generate_uuid', 'Generates a UUID.'],
    ['add', 'Adds two numbers.'],
    ['write_summary', 'Writes a summary of a text.'],
    ['create_query', 'Creates a SQL query from words.'],
    ['execute_query', 'Executes a read-only query.'],
    ['mark_text', 'Marks up a text.'],
    ['get_cancelled_orders', 'Gets orders that were cancelled.'],
    ['search_and_rank', 'Searches documents and ranks them.'],
    ['dry_run_delete', 'Says what a deletion would do.'],
    ['post_title', 'Title of a post.'],
    ['weather', 'Gets the weather, to send it to nobody.'],
    ['bestellungen', 'Listet die Bestellungen eines Kunden.'],
    ['changelog', 'Änderungen einer Version.'],
    ['geloeschte', 'Gelöschte Elemente.'],
    ['commandes', 'Liste les commandes.'],
    ['zakazy', 'Показывает удалённые заказы.'],
    ['yishanchu', '列出已删除的订单。'],
    ['rireki', '削除された注文の一覧を表示します。'],
    ['jumunlist', '삭제된 주문을 조회합니다.'],
  ])('by %s: %s', (name, description) => {
    expect(findChangingVerbOrNull({ name, description })).toBeNull();
    expect(deriveEffect({ name: `s/${name}`, description, annotations: { readOnlyHint: true } })).toBe('reads');
  });
});

test('words do not change what a tool declares of its writing', () => {
  const description = 'Deletes an order.';
  expect(deriveEffect({ name: 's/delete', description, annotations: { destructiveHint: true } })).toBe('destroys');
  expect(deriveEffect({ name: 's/delete', description, annotations: { destructiveHint: false } })).toBe('writes');
});
