import type { Card } from './card.ts';

/** What the tools of the server `tailwind` do. */
export const tailwind: readonly Card[] = [
  {
    tool: 'tailwind/get_tailwind_utilities',
    phrases: [
      'list the Tailwind classes for the CSS property {property}',
      'find utility classes that set {property}',
      'show how Tailwind controls the property {property}',
    ],
    slots: { property: { kind: 'css-property', samples: ['margin', 'padding', 'display'] } },
    gives: [{ kind: 'text', noun: 'the first utility class', pick: { path: '0.name' } }],
  },
  {
    tool: 'tailwind/get_tailwind_colors',
    phrases: [
      'show the Tailwind shades of {colorName}',
      'look up the palette entry {colorName} of Tailwind',
      'get the classes of the Tailwind colour {colorName}',
    ],
    slots: { colorName: { kind: 'tailwind-color', samples: ['blue', 'slate'] } },
    gives: [{ kind: 'text', noun: 'the first colour class', pick: { path: '0.usage.0' } }],
  },
  {
    tool: 'tailwind/install_tailwind',
    phrases: [
      'tell how to install Tailwind in a {framework} project',
      'prepare the setup of Tailwind for {framework}',
      'give the installation steps of Tailwind with {framework}',
    ],
    slots: { framework: { kind: 'web-framework', samples: ['react', 'vue', 'vite', 'svelte', 'nextjs'] } },
    gives: [{ kind: 'text', noun: 'the installation command', pick: { path: 'commands.0' } }],
  },
  {
    tool: 'tailwind/convert_css_to_tailwind',
    phrases: [
      'translate the CSS rule {css} to Tailwind classes',
      'rewrite the style sheet {css} with utility classes',
      'express {css} in the classes of Tailwind',
    ],
    slots: {
      css: {
        kind: 'css',
        samples: [
          '.box { display: flex; margin: 16px }',
          '.card { padding: 8px; text-align: center }',
          '.bar { position: absolute; font-weight: 700 }',
        ],
      },
    },
    gives: [{ kind: 'text', noun: 'the Tailwind classes', pick: { path: 'tailwindClasses' } }],
  },
  {
    tool: 'tailwind/generate_color_palette',
    phrases: [
      'generate a palette called {name} around the colour {baseColor}',
      'derive a colour scale {name} from {baseColor}',
      'build shades of {baseColor} under the palette name {name}',
    ],
    slots: {
      name: { kind: 'palette-name', samples: ['brand', 'accent', 'harbour'] },
      baseColor: { kind: 'hex-color', samples: ['#3B82F6', '#E11D48', '#10B981'] },
    },
    gives: [{ kind: 'color', noun: 'the darkest shade', pick: { path: 'colors.950' } }],
  },
  {
    tool: 'tailwind/generate_component_template',
    phrases: [
      'make an HTML template of a {componentType} in the {style} style',
      'produce {style} markup for a {componentType} with Tailwind',
      'build a {componentType} component that looks {style}',
    ],
    slots: {
      componentType: { kind: 'component-type', samples: ['button', 'card', 'navbar', 'alert', 'badge'] },
      style: { kind: 'component-style', samples: ['minimal', 'modern', 'playful'] },
    },
    gives: [{ kind: 'text', noun: 'the description of the component', pick: { path: 'description' } }],
  },
];
