// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {HTLC} from "./HTLC.sol";

/// The same swaps behind a call of its own, as of a service that was built from the specification alone.
contract OtherHTLC is HTLC {
    constructor(IERC20 token_) HTLC(token_) {}

    /// Locks the caller's own tokens, which needs an allowance for this contract.
    function deposit(bytes32 secretHash, address redeemer, uint256 amount, uint256 timelock) external {
        _initiate(msg.sender, msg.sender, redeemer, timelock, amount, secretHash);
    }
}
