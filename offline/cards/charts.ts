import type { Card } from './card.ts';

/** What the tools of the server `charts` do. They return the chart's definition, which is smaller than a picture. */
export const charts: readonly Card[] = [
  {
    tool: 'charts/generate_echarts',
    phrases: [
      'draw the standing chart of quarterly orders from its full option in the {theme} theme',
      'render the ready-made chart definition of quarterly orders with the theme {theme}',
      'produce the custom chart of orders a quarter in {theme} colours',
    ],
    slots: { theme: { kind: 'chart-theme', samples: ['default', 'dark'] } },
    constants: {
      outputType: 'option',
      echartsOption:
        '{"title":{"text":"Quarterly orders"},"xAxis":{"type":"category","data":["Q1","Q2","Q3","Q4"]},"yAxis":{"type":"value"},"series":[{"type":"bar","data":[42,38,61,55]}]}',
    },
    gives: [{ kind: 'text', noun: 'the title of the standing chart', pick: { path: 'title.text' } }],
  },
  {
    tool: 'charts/generate_area_chart',
    phrases: [
      'draw an area chart titled {title} that ends at {data} in March',
      'make a filled trend chart called {title} with {data} as the March value',
      'plot the area under a trend reaching {data} under the title {title}',
    ],
    slots: {
      data: {
        kind: 'number',
        samples: [31, 12.5, 55],
        argument: [
          { time: 'January', value: 18 },
          { time: 'February', value: 24 },
          { time: 'March', value: '$value' },
        ],
      },
      title: { kind: 'text', samples: ['Water level', 'Members in spring', 'Hours at the lathe'] },
    },
    constants: { outputType: 'option' },
    gives: [{ kind: 'text', noun: 'the title of the area chart', pick: { path: 'title.text' } }],
  },
  {
    tool: 'charts/generate_line_chart',
    phrases: [
      'draw a line chart titled {title} with {data} as its last point',
      'plot a line named {title} that runs up to {data}',
      'make a trend line with the heading {title} whose final value is {data}',
    ],
    slots: {
      data: {
        kind: 'number',
        samples: [21, 6.5, 17],
        argument: [
          { time: 'Monday', value: 9 },
          { time: 'Tuesday', value: 14 },
          { time: 'Wednesday', value: '$value' },
        ],
      },
      title: { kind: 'text', samples: ['Visitors a day', 'Calls to the office', 'Tide heights'] },
    },
    constants: { outputType: 'option' },
    gives: [{ kind: 'text', noun: 'the title of the line chart', pick: { path: 'title.text' } }],
  },
  {
    tool: 'charts/generate_bar_chart',
    phrases: [
      'draw a bar chart titled {title} in which lamps reach {data}',
      'compare lamps at {data} with clocks in bars under the title {title}',
      'make bars named {title} with a lamp bar of {data}',
    ],
    slots: {
      data: {
        kind: 'number',
        samples: [61, 38, 42.5],
        argument: [
          { category: 'lamps', value: '$value' },
          { category: 'clocks', value: 19 },
        ],
      },
      title: { kind: 'text', samples: ['Sales in March', 'Units sold', 'Stock count'] },
    },
    constants: { outputType: 'option' },
    gives: [{ kind: 'text', noun: 'the title of the bar chart', pick: { path: 'title.text' } }],
  },
  {
    tool: 'charts/generate_pie_chart',
    phrases: [
      'draw a pie chart titled {title} with a slice of {data} for rent',
      'show the share of rent at {data} as a pie called {title}',
      'cut a pie named {title} where rent takes {data}',
    ],
    slots: {
      data: {
        kind: 'number',
        samples: [45, 28.5, 60],
        argument: [
          { category: 'rent', value: '$value' },
          { category: 'tools', value: 30 },
          { category: 'paper', value: 12 },
        ],
      },
      title: { kind: 'text', samples: ['Where the money goes', 'Costs of the year', 'Spending'] },
    },
    constants: { outputType: 'option' },
    gives: [{ kind: 'text', noun: 'the title of the pie chart', pick: { path: 'title.text' } }],
  },
  {
    tool: 'charts/generate_radar_chart',
    phrases: [
      'draw a radar chart titled {title} with a speed of {data}',
      'make a spider diagram called {title} that rates speed at {data}',
      'show the qualities of a boat in a radar named {title} with speed {data}',
    ],
    slots: {
      data: {
        kind: 'number',
        samples: [7, 5.5, 9],
        argument: [
          { name: 'speed', value: '$value' },
          { name: 'comfort', value: 6 },
          { name: 'price', value: 4 },
          { name: 'safety', value: 8 },
        ],
      },
      title: { kind: 'text', samples: ['The old ferry', 'The new sloop', 'The rescue boat'] },
    },
    constants: { outputType: 'option' },
    gives: [{ kind: 'text', noun: 'the title of the radar chart', pick: { path: 'title.text' } }],
  },
  {
    tool: 'charts/generate_scatter_chart',
    phrases: [
      'draw a scatter chart titled {title} with a third point at height {data}',
      'plot points under the heading {title}, the last one at {data}',
      'make a point cloud called {title} that includes the value {data}',
    ],
    slots: {
      data: {
        kind: 'number',
        samples: [9, 5.5, 12],
        argument: [
          { x: 1, y: 4 },
          { x: 2, y: 7 },
          { x: 3, y: '$value' },
        ],
      },
      title: { kind: 'text', samples: ['Age against price', 'Wind against speed', 'Depth against light'] },
    },
    constants: { outputType: 'option' },
    gives: [{ kind: 'text', noun: 'the title of the scatter chart', pick: { path: 'title.text' } }],
  },
  {
    tool: 'charts/generate_sankey_chart',
    phrases: [
      'draw a sankey chart titled {title} with a flow of {data} from gate to hall',
      'show how {data} visitors stream from gate to hall in a flow chart named {title}',
      'make a sankey called {title} whose first stream is {data}',
    ],
    slots: {
      data: {
        kind: 'number',
        samples: [120, 85, 64.5],
        argument: [
          { source: 'gate', target: 'hall', value: '$value' },
          { source: 'hall', target: 'stalls', value: 40 },
        ],
      },
      title: { kind: 'text', samples: ['Paths of the visitors', 'Flow of paper', 'Streams at the fair'] },
    },
    constants: { outputType: 'option' },
    gives: [{ kind: 'text', noun: 'the title of the sankey chart', pick: { path: 'title.text' } }],
  },
  {
    tool: 'charts/generate_funnel_chart',
    phrases: [
      'draw a funnel chart titled {title} that starts with {data} visits',
      'show a funnel called {title} with {data} at its mouth',
      'make a funnel named {title} from {data} visits down to the orders',
    ],
    slots: {
      data: {
        kind: 'number',
        samples: [500, 240, 130.5],
        argument: [
          { category: 'visits', value: '$value' },
          { category: 'questions', value: 50 },
          { category: 'orders', value: 20 },
        ],
      },
      title: { kind: 'text', samples: ['From visit to order', 'Ticket sales', 'Steps to membership'] },
    },
    constants: { outputType: 'option' },
    gives: [{ kind: 'text', noun: 'the title of the funnel chart', pick: { path: 'title.text' } }],
  },
  {
    tool: 'charts/generate_gauge_chart',
    phrases: [
      'draw a gauge titled {title} that points at {data}',
      'show {data} on a dial called {title}',
      'make a speedometer named {title} with its needle at {data}',
    ],
    slots: {
      data: { kind: 'number', samples: [75, 42.5, 18], argument: [{ name: 'level', value: '$value' }] },
      title: { kind: 'text', samples: ['Battery level', 'Room temperature', 'Progress of the print'] },
    },
    constants: { outputType: 'option' },
    gives: [{ kind: 'text', noun: 'the title of the gauge chart', pick: { path: 'title.text' } }],
  },
  {
    tool: 'charts/generate_treemap_chart',
    phrases: [
      'draw a treemap titled {title} with a timber area of {data}',
      'show nested rectangles called {title} in which timber fills {data}',
      'make a treemap named {title} that gives timber {data}',
    ],
    slots: {
      data: {
        kind: 'number',
        samples: [70, 33.5, 52],
        argument: [
          { name: 'timber', value: '$value' },
          { name: 'metal', value: 25, children: [{ name: 'brass', value: 15 }] },
        ],
      },
      title: { kind: 'text', samples: ['Space in the store', 'Use of the shelves', 'Share of materials'] },
    },
    constants: { outputType: 'option' },
    gives: [{ kind: 'text', noun: 'the title of the treemap', pick: { path: 'title.text' } }],
  },
  {
    tool: 'charts/generate_sunburst_chart',
    phrases: [
      'draw a sunburst titled {title} with {data} in the outer ring',
      'show rings called {title} whose branch for boats holds {data}',
      'make a sunburst diagram named {title} where boats count {data}',
    ],
    slots: {
      data: {
        kind: 'number',
        samples: [60, 35.5, 48],
        argument: [
          {
            name: 'harbour',
            value: 100,
            children: [
              { name: 'boats', value: '$value' },
              { name: 'sheds', value: 20 },
            ],
          },
        ],
      },
      title: { kind: 'text', samples: ['Inside the harbour', 'Rings of the club', 'Parts of the port'] },
    },
    constants: { outputType: 'option' },
    gives: [{ kind: 'text', noun: 'the title of the sunburst chart', pick: { path: 'title.text' } }],
  },
  {
    tool: 'charts/generate_heatmap_chart',
    phrases: [
      'draw a heatmap titled {title} with {data} on Tuesday morning',
      'colour a grid called {title} that has {data} in the Tuesday field',
      'make a heat grid named {title} with the Tuesday value {data}',
    ],
    slots: {
      data: {
        kind: 'number',
        samples: [8, 5.5, 13],
        argument: [
          { x: 'Monday', y: 'morning', value: 3 },
          { x: 'Tuesday', y: 'morning', value: '$value' },
        ],
      },
      title: { kind: 'text', samples: ['Visits by day', 'Noise by hour', 'Use of the press'] },
    },
    constants: { outputType: 'option' },
    gives: [{ kind: 'text', noun: 'the title of the heatmap', pick: { path: 'title.text' } }],
  },
  {
    tool: 'charts/generate_candlestick_chart',
    phrases: [
      'draw a candlestick chart titled {title} that closes at {data}',
      'show the price candles of {title} with a last close of {data}',
      'make a stock price chart named {title} whose final price is {data}',
    ],
    slots: {
      data: {
        kind: 'number',
        samples: [108, 103.5, 115],
        argument: [
          { date: '2026-03-02', open: 100, high: 110, low: 95, close: 105 },
          { date: '2026-03-03', open: 105, high: 118, low: 101, close: '$value' },
        ],
      },
      title: { kind: 'text', samples: ['Price of brass', 'Shares of the ferry line', 'Timber market'] },
    },
    constants: { outputType: 'option' },
    gives: [{ kind: 'text', noun: 'the title of the candlestick chart', pick: { path: 'title.text' } }],
  },
  {
    tool: 'charts/generate_boxplot_chart',
    phrases: [
      'draw a boxplot titled {title} with {data} as one of the readings',
      'show the spread of readings around {data} as boxes called {title}',
      'make a box-and-whisker plot named {title} that contains {data}',
    ],
    slots: {
      data: {
        kind: 'number',
        samples: [17, 14.5, 19],
        argument: [
          { category: 'north', value: 12 },
          { category: 'north', value: '$value' },
          { category: 'north', value: 21 },
          { category: 'south', value: 9 },
          { category: 'south', value: 16 },
        ],
      },
      title: { kind: 'text', samples: ['Readings by pier', 'Wave heights', 'Waiting times'] },
    },
    constants: { outputType: 'option' },
    gives: [{ kind: 'text', noun: 'the title of the boxplot', pick: { path: 'title.text' } }],
  },
  {
    tool: 'charts/generate_graph_chart',
    phrases: [
      'draw a network graph titled {title} whose link weighs {data}',
      'show the ties between Ines with Tomas at strength {data} as a network called {title}',
      'make a relationship graph named {title} with an edge of weight {data}',
    ],
    slots: {
      data: {
        kind: 'number',
        samples: [4, 2.5, 9],
        argument: {
          nodes: [
            { id: 'ines', name: 'Ines' },
            { id: 'tomas', name: 'Tomas' },
          ],
          edges: [{ source: 'ines', target: 'tomas', value: '$value' }],
        },
      },
      title: { kind: 'text', samples: ['Who knows whom', 'Ties in the workshop', 'Letters between members'] },
    },
    constants: { outputType: 'option' },
    gives: [{ kind: 'text', noun: 'the title of the network graph', pick: { path: 'title.text' } }],
  },
  {
    tool: 'charts/generate_parallel_chart',
    phrases: [
      'draw parallel coordinates titled {title} with a price of {data} for the lamp',
      'compare lamp with clock on parallel axes called {title} at a lamp price of {data}',
      'make a parallel axes plot named {title} in which the lamp costs {data}',
    ],
    slots: {
      data: {
        kind: 'number',
        samples: [45, 39.5, 52],
        argument: [
          { name: 'lamp', values: ['$value', 4, 7] },
          { name: 'clock', values: [75, 6, 5] },
        ],
      },
      title: { kind: 'text', samples: ['Lamp or clock', 'Products side by side', 'Qualities compared'] },
    },
    constants: { outputType: 'option', dimensions: ['price', 'weight', 'rating'] },
    gives: [{ kind: 'text', noun: 'the title of the parallel chart', pick: { path: 'title.text' } }],
  },
  {
    tool: 'charts/generate_tree_chart',
    phrases: [
      'draw a tree chart titled {title} with a workshop node of {data}',
      'show the branches of the club as a tree called {title} giving the workshop {data}',
      'make an organisation tree named {title} whose workshop leaf carries {data}',
    ],
    slots: {
      data: {
        kind: 'number',
        samples: [11, 6.5, 15],
        argument: {
          name: 'club',
          children: [
            { name: 'workshop', value: '$value' },
            { name: 'garden', value: 4 },
          ],
        },
      },
      title: { kind: 'text', samples: ['How the club is built', 'Groups of the club', 'The family of crafts'] },
    },
    constants: { outputType: 'option' },
    gives: [{ kind: 'text', noun: 'the title of the tree chart', pick: { path: 'title.text' } }],
  },
];
