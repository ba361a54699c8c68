<?php
/**
 * Removes the settings when the plugin is deleted.
 *
 * @package swap-widget
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

delete_option( 'swap_widget' );
