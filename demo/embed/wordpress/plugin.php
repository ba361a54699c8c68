<?php
/**
 * Plugin Name: Swap widget
 * Description: The shortcode [swap_widget] lets visitors swap: [swap_widget base-url="https://the.service" from="bitcoin:btc" to="base:usdc"].
 * Version: 0.1.0
 * Requires at least: 6.5
 * Requires PHP: 7.4
 * License: MIT
 */

defined('ABSPATH') || exit;

/** What the shortcode may name: attributes of the element that are text. */
const SWAP_WIDGET_ATTRIBUTES = [
    'base-url',
    'app-id',
    'assets',
    'affiliate-fees',
    'from',
    'to',
    'amount',
    'lock',
    'theme',
    'variant',
    'lang',
];

add_action('init', function () {
    // No version: define.js is to be loaded under its plain address, as the files beside it name it.
    wp_register_script_module('swap-widget', plugins_url('swap-widget/define.js', __FILE__), [], null);
    wp_register_script_module('swap-widget-page', plugins_url('page.js', __FILE__), [], null);
    wp_register_style('swap-widget', plugins_url('style.css', __FILE__), [], '0.1.0');
    add_shortcode('swap_widget', 'swap_widget_shortcode');
});

/** What the form looks like before its script, where the widget's own files have it: its first pair, in the page's language. */
function swap_widget_first_paint(array $given): string
{
    $others = array_diff(array_keys($given), ['base-url', 'app-id', 'affiliate-fees', 'from', 'to', 'theme', 'lang']);
    $language = substr($given['lang'] ?? get_locale(), 0, 2);
    $file = __DIR__ . "/swap-widget/first-paint/{$language}.html";
    $is_drawn = !$others && ($given['from'] ?? '') === 'bitcoin:btc' && ($given['to'] ?? '') === 'base:usdc';
    return $is_drawn && ctype_alpha($language) && is_readable($file) ? file_get_contents($file) : '';
}

/** The element, with the attributes that the shortcode names. */
function swap_widget_shortcode($given): string
{
    wp_enqueue_script_module('swap-widget');
    wp_enqueue_script_module('swap-widget-page');
    wp_enqueue_style('swap-widget');
    $attributes = '';
    foreach (array_intersect_key((array) $given, array_flip(SWAP_WIDGET_ATTRIBUTES)) as $name => $value) {
        $attributes .= sprintf(' %s="%s"', $name, esc_attr($value));
    }
    $form = swap_widget_first_paint((array) $given);
    return "<swap-widget{$attributes}>{$form}<noscript>Swapping here needs JavaScript.</noscript></swap-widget><output></output>";
}
