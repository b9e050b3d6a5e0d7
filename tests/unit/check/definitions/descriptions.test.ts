import { withoutDescriptionsBorneOut } from '#core/reports/check/definitions/description-content.ts';
import { describe, expect, test } from 'vitest';
import { findingsOf, namesOf, tool } from './listed.ts';

const id = { id: { type: 'string', description: 'Id of the order, such as O-17.' } };

describe('descriptions that only repeat the name are found', () => {
  test.each([
    ['get_order', 'Gets an order.'],
    ['search_docs', 'Search documents.'],
    ['addNote', 'This tool adds a note.'],
    ['order_status', 'Returns the status of an order.'],
    ['get_order', 'A tool to fetch order data.'],
  ])('%s: %s', (name, text) => {
    const [found] = findingsOf('description-tautological', [tool(name, text, id)]);
    expect(found).toMatchObject({ severity: 'medium', tool: `shop/${name}` });
  });

  test.each([
    ['get_order', 'Returns the order with this id, its lines and its state.'],
    ['get_order', 'Gets an order by its number, paid ones too.'],
    ['qr', 'Draws a QR code as PNG.'],
    ['get_order', '返回订单。'],
    ['bestellung_holen', 'Holt die Bestellung samt Positionen.'],
  ])('%s: %s says more', (name, text) => {
    expect(namesOf('description-tautological', [tool(name, text, id)])).toEqual([]);
  });
});

describe('descriptions that say nothing are found', () => {
  test.each([
    'Helper for various operations.',
    'Does stuff.',
    'Utility tool.',
    'Processes data.',
    'Handles the request.',
    'General purpose tool for multiple tasks.',
    'Useful helper for order stuff and things.',
  ])('%s', (text) => {
    expect(namesOf('description-vague', [tool('prepare_shipment', text, id)])).toEqual(['shop/prepare_shipment']);
  });

  test.each([
    'Returns the order with this id, its lines and its state.',
    'Rolls dice.',
    'Handles refunds: pays the amount back to the card.',
    'Berechnet das Porto.',
    '获取所有菜谱',
  ])('%s says something', (text) => {
    expect(namesOf('description-vague', [tool('prepare_shipment', text, id)])).toEqual([]);
  });
});

describe('descriptions of another thing are found', () => {
  const city = { city: { type: 'string', description: 'Name of the city.' } };
  const wrong = tool('weather', 'Converts an amount at the exchange rate of the day.', city);

  test('no word of the tool is in the text', () => {
    const [found] = findingsOf('description-of-another-thing', [wrong]);
    expect(found?.sentence).toContain('"Converts an amount at the exchange rate of the day."');
  });

  test.each([
    ['weather', 'Gives the forecast of temperature and rain for the next days.'],
    ['vat_rate', 'Percentage of value added tax that a country charges on goods.'],
    ['cfg_dump', 'Prints the whole configuration as it was loaded at the start.'],
    ['whois', 'Looks up who registered a domain, and when that ends.'],
    ['get-provenance', 'Returns from whom and in which year the museum acquired a domain.'],
    ['repo_stats', 'Counts the commits and authors of a repository by month.'],
    ['wetter', 'Rechnet einen Betrag zum Kurs des Tages um.'],
    ['weather', '按当天汇率换算金额。'],
  ])('%s: %s is about its tool', (name, text) => {
    const argument = { domain: { type: 'string', description: 'As it is registered.' } };
    expect(namesOf('description-of-another-thing', [tool(name, text, argument)])).toEqual([]);
  });

  test('a text in the words of the server is about its tool, unless it is that of another one', () => {
    const specimens = tool('search_specimens', 'Finds specimens of plants in the herbarium.', city);
    const taxa = (text: string) => tool('list_taxa', text, { limit: { type: 'integer' } });
    const own = taxa('Lists the scientific names of all plants of which the herbarium holds specimens.');
    expect(namesOf('description-of-another-thing', [specimens, own])).toEqual([]);
    const copied = taxa('Finds specimens of plants in the herbarium by their label.');
    expect(namesOf('description-of-another-thing', [specimens, copied])).toEqual(['shop/list_taxa']);
  });

  test('in another language it is one without a word of the tool or of its server', () => {
    const fondo = { fondo: { type: 'string', description: 'Fondo del archivo.' } };
    const others = [
      tool('listar_documentos', 'Lista los documentos de un fondo por su signatura.', fondo),
      tool('leer_documento', 'Devuelve un documento del archivo.', fondo),
    ];
    const wrongText = 'Busca vecinos en el padrón de habitantes por apellido y calle, y devuelve su cédula.';
    expect(namesOf('description-of-another-thing', [...others, tool('contar_por_siglo', wrongText, fondo)])).toEqual([
      'shop/contar_por_siglo',
    ]);
    const own = 'Cuenta los documentos de un fondo por cada siglo en que se escribieron.';
    expect(namesOf('description-of-another-thing', [...others, tool('contar_por_siglo', own, fondo)])).toEqual([]);
  });

  test('the beginning of a word is not that word', () => {
    const season = tool('get_season', 'Returns the total of an invoice with and without value added tax.', {
      taxon: { type: 'string', description: 'Scientific name.' },
    });
    expect(namesOf('description-of-another-thing', [season])).toEqual(['shop/get_season']);
  });

  test('answers that a description speaks of bear it out', () => {
    const found = findingsOf('description-of-another-thing', [wrong]);
    expect(withoutDescriptionsBorneOut(found, new Map([['shop/weather', 'sunny, 21 °C']]))).toEqual(found);
    expect(withoutDescriptionsBorneOut(found, new Map([['shop/weather', '{"amount":3,"exchange_rate":1.1}']]))).toEqual(
      [],
    );
  });
});

describe('titles that contradict the name are found', () => {
  test.each([
    ['get_invoice', 'Delete customer'],
    ['get_invoice', 'Delete Invoice'],
    ['get_invoice', 'Weather Forecast'],
  ])('%s with the title %s', (name, title) => {
    const [found] = findingsOf('title-contradicted', [
      tool(name, 'Returns the invoice with this number.', id, { title }),
    ]);
    expect(found?.evidence).toEqual([title, name]);
  });

  test.each([
    ['get_invoice', 'Invoice details'],
    ['get_invoice', 'Show an invoice'],
    ['search_docs', 'Find Documentation'],
    ['git_set_working_dir', 'Git Set Working Directory'],
    ['get-env', 'Print Environment Tool'],
    ['sequentialthinking', 'Sequential Thinking'],
    ['get_invoice', 'Rechnung abrufen'],
    ['get_invoice', '查询发票'],
    ['get_invoice', 'Acme'],
    ['cancel_order', 'Remove order'],
  ])('%s with the title %s fits', (name, title) => {
    const text =
      title === 'Rechnung abrufen' ? 'Gibt die Rechnung mit dieser Nummer.' : 'Returns the one with this number.';
    expect(namesOf('title-contradicted', [tool(name, text, id, { title })])).toEqual([]);
  });
});

describe('tools that nobody lists are found in texts', () => {
  test.each([
    'Creates an order. Call list_projects first.',
    'Creates an order; ids come from `find_projects`.',
    'Creates an order. The project is one that list_projects gives.',
    'Creates an order. Use the session_open tool before.',
    'Erstellt eine Bestellung. Rufe list_projects vorher auf.',
    'Creates an order. Pass its number to book_courier.',
  ])('%s', (text) => {
    const [found] = findingsOf('speaks-of-missing-tool', [
      tool('create_order', text),
      tool('list_customers', 'All of them.'),
    ]);
    expect(found).toMatchObject({ tool: 'shop/create_order', severity: 'medium' });
  });

  test('they are found in the instructions', () => {
    const [found] = findingsOf(
      'speaks-of-missing-tool',
      [tool('create_order', 'Creates one.')],
      'Start with list_projects.',
    );
    expect(found).toMatchObject({ tool: null, server: 'shop' });
  });

  test.each([
    'Creates an order. Call list_customers first.',
    'Creates an order for a list_id or search_term.',
    'Creates an order; `create_time` is in UTC.',
    'Creates an order with the add_gift option.',
    'Read-only and up-to-date; a check-in is no-op.',
    'Runs SELECT get_total(id) as SQL.',
    'Creates an order. See customers of the shop.',
    'Creates an order. It replaces create_purchase and create_sale.',
    'Creates an order. Its text comes from the library (via describeOrder).',
  ])('%s names none', (text) => {
    const gift = { add_gift: { type: 'boolean', description: 'Whether a gift is added.' } };
    const tools = [tool('create_order', text, gift), tool('list_customers', 'All of them.')];
    expect(namesOf('speaks-of-missing-tool', tools)).toEqual([]);
  });

  test('names in the style of the server need no marks', () => {
    const tools = [
      tool('listSlots', 'Free slots; pass one to bookSlot.'),
      tool('getDoctor', 'Name and room of a doctor.'),
    ];
    expect(namesOf('speaks-of-missing-tool', tools)).toEqual(['shop/listSlots']);
  });

  test('a tool may be named without what is in front of all names', () => {
    const tools = [
      tool('shop_getAllOrders', 'All of them.'),
      tool('shop_getOrder', 'One of those that `getAllOrders` lists.'),
    ];
    expect(namesOf('speaks-of-missing-tool', tools)).toEqual([]);
  });
});
